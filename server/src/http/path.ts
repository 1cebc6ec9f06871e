import { operations } from "@remote-browser/contract/operations";

const CONTRACT_PATHS = new Map(Object.values(operations).map(({ path }) => [path.toLowerCase(), path]));

/** The path as the contract spells it, which matches without regard to case; any other path as it is. */
export function toContractPath(path: string): string {
  return CONTRACT_PATHS.get(path.toLowerCase()) ?? path;
}

/**
 * The path below the prefix of `RBS_PUBLIC_URL`, which a reverse proxy may have stripped or not.
 * @param prefix Without a slash at its end; empty for none.
 */
export function withoutPrefix(path: string, prefix: string): string {
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
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
