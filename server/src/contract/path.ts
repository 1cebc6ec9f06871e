import { operations } from "@remote-browser/contract/operations";
import { DEVTOOLS_PATH } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";

const CONTRACT_PATHS = new Map(Object.values(operations).map(({ path }) => [path.toLowerCase(), path]));

/**
 * Spells one of our own paths in the contract's letter case, except keys and file names. Leaves other paths unchanged.
 */
export function toOurPath(path: string): string {
  const lower = path.toLowerCase();
  const start = [DEVTOOLS_PATH, DESKTOP_PATH].find((ours) => lower.startsWith(ours));
  if (start === undefined) return CONTRACT_PATHS.get(lower) ?? path;
  return start + path.slice(start.length).replace(/\/rfb(?=\/?$)/i, "/rfb");
}

/**
 * Removes the path prefix of `RBS_PUBLIC_URL`, in any case, unless a reverse proxy has stripped it already.
 * @param prefix Without a trailing slash; empty without one.
 */
export function withoutPrefix(path: string, prefix: string): string {
  const isBelow = `${path.toLowerCase()}/`.startsWith(`${prefix.toLowerCase()}/`);
  return isBelow ? path.slice(prefix.length) || "/" : path;
}

/** Longer than every part of our own paths, and shorter than every secret in one. */
const MAX_SHOWN_PART = 20;
const MAX_SHOWN_PATH = 100;

/** The path of a URL for messages, in ASCII. Long parts are left out: they can be secrets sent to the wrong path. */
export function toShownPath(url: string): string {
  const parts = new URL(url).pathname.split("/").map((part) => (part.length > MAX_SHOWN_PART ? "…" : part));
  const path = parts.join("/");
  return path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
}

/** The path prefix of a public URL without a trailing slash; empty without one. */
export function toPathPrefix(publicUrl: URL | undefined): string {
  return publicUrl?.pathname.replace(/\/+$/, "") ?? "";
}

/**
 * The URL that all returned addresses start with.
 * @param requestUrl The request's own URL, with the host the client used.
 * @param publicUrl `RBS_PUBLIC_URL`, which takes precedence.
 */
export function toBaseUrl(requestUrl: string, publicUrl: URL | undefined): URL {
  return publicUrl ?? new URL("/", requestUrl);
}
