/**
 * Checks a key from the caller. The service checks the length.
 * @throws {TypeError} If the key can't be sent unchanged in an HTTP header.
 */
export function readKey(given: unknown): string {
  if (typeof given === "string" && /^[\x21-\x7E]*$/.test(given)) return given;
  throw new TypeError("`idempotencyKey` must be a string of visible ASCII characters without spaces.");
}

/** Returns a random key for one call. `crypto.randomUUID` doesn't exist in web pages without HTTPS. */
export function newKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
