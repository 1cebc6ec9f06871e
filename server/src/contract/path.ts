import { operations } from "@remote-browser/contract/operations";
import { DEVTOOLS_PATH } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";

const CONTRACT_PATHS = new Map(Object.values(operations).map(({ path }) => [path.toLowerCase(), path]));

/** Converts a server path to the contract's letter case, except keys and file names. Leaves other paths unchanged. */
export function toOurPath(path: string): string {
  const lower = path.toLowerCase();
  const start = [DEVTOOLS_PATH, DESKTOP_PATH].find((ours) => lower.startsWith(ours));
  if (start === undefined) return CONTRACT_PATHS.get(lower) ?? path;
  return start + path.slice(start.length).replace(/\/rfb(?=\/?$)/i, "/rfb");
}

/**
 * Removes the path prefix of `RBS_PUBLIC_URL`, ignoring case, unless a reverse proxy has already removed it.
 * @param prefix The result of `toPathPrefix`.
 */
export function withoutPrefix(path: string, prefix: string): string {
  const isBelow = `${path.toLowerCase()}/`.startsWith(`${prefix.toLowerCase()}/`);
  return isBelow ? path.slice(prefix.length) || "/" : path;
}

/** Longer than any fixed segment in this server's paths, and shorter than any secret in a path. */
const MAX_SHOWN_SEGMENT = 20;
const MAX_SHOWN_PATH = 100;

/** Returns a URL's path for messages, in ASCII. Omits long segments, which can be secrets sent to the wrong path. */
export function toShownPath(url: string): string {
  const segments = new URL(url).pathname.split("/");
  const path = segments.map((segment) => (segment.length > MAX_SHOWN_SEGMENT ? "…" : segment)).join("/");
  return path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
}

/** Returns a public URL's path prefix without a trailing slash, or an empty string if there is no prefix. */
export function toPathPrefix(publicUrl: URL | undefined): string {
  return publicUrl?.pathname.replace(/\/+$/, "") ?? "";
}

/**
 * Returns the URL that all returned addresses start with.
 * @param requestUrl The request's URL, with the host that the client used.
 * @param publicUrl `RBS_PUBLIC_URL`, which takes precedence.
 */
export function toBaseUrl(requestUrl: string, publicUrl: URL | undefined): URL {
  return publicUrl ?? new URL("/", requestUrl);
}
