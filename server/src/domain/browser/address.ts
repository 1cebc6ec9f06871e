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

/** The worker that a key of an address, or of a desktop's URL, leads to; undefined: a key of a server without workers. */
export function readWorkerId(key: string): string | undefined {
  return /^([a-z0-9]{8})[\w-]{22,}$/.exec(key)?.[1];
}
