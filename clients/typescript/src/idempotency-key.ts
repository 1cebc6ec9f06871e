/**
 * Checks a key from the caller. The service checks the length.
 * @throws {TypeError} If HTTP can't send the key unchanged in a header.
 */
export function readKey(given: unknown): string {
  if (typeof given === "string" && /^[\x21-\x7E]*$/.test(given)) return given;
  throw new TypeError("`idempotencyKey` must be a string of visible ASCII characters without spaces.");
}

/** Returns a random key for one call. Web pages without HTTPS have no `crypto.randomUUID`. */
export function newKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  return [...random].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
