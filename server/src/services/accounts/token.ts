import { hash } from "node:crypto";
import type { StoredToken, NewToken } from "../../ports/token-store.ts";
import { AccountError } from "./account-error.ts";

/** A token that people choose themselves must still be long enough that nobody guesses it. */
const MIN_LENGTH = 16;
const BYTES = 32;

/** Enough to tell tokens apart in a list, and far too little to guess the rest. */
const PREFIX_LENGTH = 8;

/** The name of a token that came with its account. */
export const FIRST_TOKEN = "first";
/** And of one that was put in the place of all others for its owner. */
export const OPERATORS_TOKEN = "from the operator";

/** A new API token: 256 random bits behind a prefix that secret scanners can look for. */
export function toToken(randomBytes: (length: number) => Buffer): string {
  return `rbs_${randomBytes(BYTES).toString("base64url")}`;
}

/** @throws {AccountError} When somebody has chosen one that can't be a token. */
export function readToken(text: string): string {
  // RFC 6750 section 2.1: the characters that a bearer token may have.
  if (text.length >= MIN_LENGTH && /^[\w.~+/-]+=*$/.test(text)) return text;
  throw new AccountError(`A token has at least ${MIN_LENGTH} characters: letters, digits and -._~+/ only.`);
}

// A token is random and long, so a plain hash keeps it: there is no dictionary to try against it.
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}

export function toStoredToken(token: string): StoredToken {
  return { hash: hashToken(token), prefix: token.slice(0, PREFIX_LENGTH) };
}

/** A token as it is put into the books, with what its owner knows it by. */
export function newToken(token: string, entry: Pick<NewToken, "id" | "name" | "createdAt">): NewToken {
  return { ...toStoredToken(token), ...entry };
}
