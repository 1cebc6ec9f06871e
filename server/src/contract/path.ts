import { operations } from "@remote-browser/contract/operations";
import { DEVTOOLS_PATH } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";

const CONTRACT_PATHS = new Map(Object.values(operations).map(({ path }) => [path.toLowerCase(), path]));

/** The path as we spell it: case matters in keys and names of files only. Any other path stays as it is. */
export function toOurPath(path: string): string {
  const lower = path.toLowerCase();
  const start = [DEVTOOLS_PATH, DESKTOP_PATH].find((ours) => lower.startsWith(ours));
  if (start === undefined) return CONTRACT_PATHS.get(lower) ?? path;
  return start + path.slice(start.length).replace(/\/rfb(?=\/?$)/i, "/rfb");
}

/**
 * The path below the prefix of `RBS_PUBLIC_URL`, which a reverse proxy may have stripped or not; its case is no matter.
 * @param prefix Without a slash at its end; empty for none.
 */
export function withoutPrefix(path: string, prefix: string): string {
  const isBelow = `${path.toLowerCase()}/`.startsWith(`${prefix.toLowerCase()}/`);
  return isBelow ? path.slice(prefix.length) || "/" : path;
}

/** As long as no part of a path of ours is, and shorter than every secret in one. */
const MAX_SHOWN_PART = 20;
const MAX_SHOWN_PATH = 100;

/** A path as a message names it, in ASCII; what may be a secret, because it was sent to the wrong place, is left out. */
export function toShownPath(url: string): string {
  const parts = new URL(url).pathname.split("/").map((part) => (part.length > MAX_SHOWN_PART ? "…" : part));
  const path = parts.join("/");
  return path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
}

/** The prefix in a public URL, without a slash at its end; empty for none. */
export function toPathPrefix(publicUrl: URL | undefined): string {
  return publicUrl?.pathname.replace(/\/+$/, "") ?? "";
}
