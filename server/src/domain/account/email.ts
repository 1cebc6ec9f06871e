import { isVisible } from "./visible-text.ts";

/** RFC 5321: a path has up to 256 characters, two of which are the angle brackets. */
const MAX_LENGTH = 254;

/**
 * Checks that the text can be stored and shown as an email address. Only sending a mail shows whether it exists.
 * @returns The address, trimmed, otherwise as entered; undefined if it is invalid.
 */
export function readEmail(text: string): string | undefined {
  const email = text.trim();
  if (email.length > MAX_LENGTH) return undefined;
  // Control characters, and characters that reorder or hide text, would make the address look like another one.
  const isWritten = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email);
  return isWritten && email.split("@").every(isVisible) ? email : undefined;
}
