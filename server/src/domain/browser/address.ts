/** The path of DevTools endpoints; the browser's key follows. */
export const DEVTOOLS_PATH = "/devtools/browser/";

/**
 * The address that Open returns: `ws://host[:port][/prefix]/devtools/browser/<key>`.
 * @param base What it begins with: an http(s) URL, with the path prefix if there is one.
 * @param key The browser's secret: at least 128 random bits, URL-safe.
 */
export function toAddress(base: URL, key: string): string {
  const scheme = base.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${base.host}${base.pathname.replace(/\/+$/, "")}${DEVTOOLS_PATH}${key}`;
}

/**
 * The key in an address, or undefined if it has none. The scheme is optional, and the host, the prefix and the query
 * are ignored.
 */
export function readKey(address: string): string | undefined {
  const [path = ""] = address.split(/[?#]/, 1);
  const start = path.lastIndexOf(DEVTOOLS_PATH);
  if (start < 0) return undefined;
  const key = path.slice(start + DEVTOOLS_PATH.length).replace(/\/$/, "");
  return /^[\w-]{22,128}$/.test(key) ? key : undefined;
}

/**
 * The id of the worker that has made a key of a browser or a desktop, or undefined if the key can't begin with one.
 * Other keys can look as if they did.
 */
export function readWorkerId(key: string): string | undefined {
  return /^(?<id>[a-z0-9]{8})[\w-]{22,120}$/.exec(key)?.groups?.["id"];
}
