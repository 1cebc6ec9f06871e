/** Pointers to parts of the contract that several rules refer to. */
export const INFO = "#/info/description";

export const OPEN = "#/paths/~1api~1v1~1Browser~1Open/post";
export const CLOSE = "#/paths/~1api~1v1~1Browser~1Close/post";
export const GET = "#/paths/~1api~1v1~1Browser~1Get/get";
export const START = "#/paths/~1api~1v1~1Browser~1StartRemoteDesktop/post";
export const STOP = "#/paths/~1api~1v1~1Browser~1StopRemoteDesktop/post";
export const INFO_OF_BROWSER = "#/paths/~1api~1v1~1Browser~1Info/post";
export const HISTORY = "#/paths/~1api~1v1~1Browser~1History/post";
export const WAIT = "#/paths/~1api~1v1~1Browser~1Wait/post";
export const UPDATE = "#/paths/~1api~1v1~1Browser~1Update/post";
export const CLOSE_ALL = "#/paths/~1api~1v1~1Browser~1CloseAll/post";
export const SCREENSHOT = "#/paths/~1api~1v1~1Browser~1Screenshot/post";
export const SCREENSHOT_IMAGE = "#/paths/~1api~1v1~1Browser~1ScreenshotImage/get";
export const ACCOUNT = "#/paths/~1api~1v1~1Account~1Get/get";
export const QUERY = "#/paths/~1api~1v1~1ai~1Query/post";

/** Returns a pointer to the description of a schema or one of its members. */
export function schema(name: string, member?: string): string {
  const base = `#/components/schemas/${name}`;
  return member === undefined ? `${base}/description` : `${base}/properties/${member}/description`;
}

/** Returns a pointer to the description of a shared response. */
export function response(name: string): string {
  return `#/components/responses/${name}/description`;
}
