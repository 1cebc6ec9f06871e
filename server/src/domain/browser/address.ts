/** The path of DevTools endpoints, before the browser's key. */
export const DEVTOOLS_PATH = "/devtools/browser/";

/**
 * Returns the address that Open returns: `ws://host[:port][/prefix]/devtools/browser/<key>`.
 * @param base The http(s) URL that the address begins with, including a path prefix.
 * @param key The browser's secret: at least 128 random bits, URL-safe.
 */
export function toAddress(base: URL, key: string): string {
  const scheme = base.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${base.host}${base.pathname.replace(/\/+$/, "")}${DEVTOOLS_PATH}${key}`;
}

/** Returns the key in an address, or undefined. The scheme is optional. Ignores the host, the prefix and the query. */
export function readKey(address: string): string | undefined {
  const [path = ""] = address.split(/[?#]/, 1);
  const start = path.lastIndexOf(DEVTOOLS_PATH);
  if (start < 0) return undefined;
  const key = path.slice(start + DEVTOOLS_PATH.length).replace(/\/$/, "");
  return /^[\w-]{22,128}$/.test(key) ? key : undefined;
}

/**
 * Returns the id of the worker that created a browser's or desktop's key, or undefined if the key can't begin with an
 * id. A key without an id can look as if it has one.
 */
export function readWorkerId(key: string): string | undefined {
  return /^(?<id>[a-z0-9]{8})[\w-]{22,120}$/.exec(key)?.groups?.["id"];
}
