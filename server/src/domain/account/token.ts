/** What a token that somebody chooses must have, so that it is too long to guess. */
export const TOKEN_RULE = "at least 16 characters: letters, digits and -._~+/ only";

const MIN_LENGTH = 16;

/** RFC 6750 section 2.1: the characters that a bearer token may have. */
export function isToken(text: string): boolean {
  return text.length >= MIN_LENGTH && /^[\w.~+/-]+=*$/.test(text);
}
