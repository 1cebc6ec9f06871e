import { hash } from "node:crypto";
import type { KeptToken } from "../ports/store.ts";

/** Enough to tell tokens apart in a list, and far too little to guess the rest. */
const PREFIX_LENGTH = 8;

/** A new API token: 256 random bits behind a prefix that secret scanners can look for. */
export function toToken(random: Buffer): string {
  return `rbs_${random.toString("base64url")}`;
}

// A token is random and long, so a plain hash keeps it: there is no dictionary to try against it.
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}

export function keepToken(token: string): KeptToken {
  return { hash: hashToken(token), prefix: token.slice(0, PREFIX_LENGTH) };
}
