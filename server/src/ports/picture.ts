/** What a browser showed at one moment, small enough for a list of browsers: some 640 pixels wide. */
export type Picture = {
  readonly type: "image/png" | "image/jpeg";
  readonly bytes: Uint8Array;
};

/** Of no side of a picture are there more pixels than this. */
export const PICTURE_PIXELS = 640;
