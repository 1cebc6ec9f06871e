/** The rule for tokens that users choose. The minimum length makes the tokens hard to guess. */
export const TOKEN_RULE = "at least 16 characters: letters, digits and -._~+/ only";

const MIN_LENGTH = 16;

/** RFC 6750 section 2.1 defines the characters of a bearer token. */
export function isToken(text: string): boolean {
  return text.length >= MIN_LENGTH && /^[\w.~+/-]+=*$/.test(text);
}
