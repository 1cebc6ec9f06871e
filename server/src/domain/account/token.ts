/** The rule for tokens that users choose: long enough that they can't be guessed. */
export const TOKEN_RULE = "at least 16 characters: letters, digits and -._~+/ only";

const MIN_LENGTH = 16;

/** RFC 6750 section 2.1: the characters that a bearer token may have. */
export function isToken(text: string): boolean {
  return text.length >= MIN_LENGTH && /^[\w.~+/-]+=*$/.test(text);
}
