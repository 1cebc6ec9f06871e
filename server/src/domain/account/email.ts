import { isVisible } from "./visible-text.ts";

/** What RFC 5321 leaves of a path's 256 characters for the address itself. */
const MAX_LENGTH = 254;

/**
 * Whether mail arrives there, only a mail can tell; this is what can be kept and shown as an address.
 * @returns The address without the spaces around it, in its own spelling; undefined when it is none.
 */
export function readEmail(text: string): string | undefined {
  const email = text.trim();
  if (email.length > MAX_LENGTH) return undefined;
  // Control characters, and those that reorder or hide what stands around them, would show another address than is kept.
  const isWritten = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email);
  return isWritten && email.split("@").every(isVisible) ? email : undefined;
}
