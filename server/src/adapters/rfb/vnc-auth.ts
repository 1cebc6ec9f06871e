import { createCipheriv } from "node:crypto";

export const CHALLENGE_BYTES = 16;
export const PASSWORD_BYTES = 8;

/** Returns the response to a challenge: its DES encryption with the password as the key (RFC 6143, section 7.2.2). */
export function answerChallenge(password: string, challenge: Uint8Array): Buffer {
  const text = Buffer.alloc(PASSWORD_BYTES);
  text.write(password, "latin1");
  // VNC programs read the bits of each key byte in reverse order.
  return encrypt(text.map(mirror), challenge);
}

/** OpenSSL 3 doesn't support DES, but triple DES with three equal keys produces the same result. */
export function encrypt(key: Uint8Array, text: Uint8Array): Buffer {
  const cipher = createCipheriv("des-ede3-ecb", Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(text), cipher.final()]);
}

function mirror(byte: number): number {
  let mirrored = 0;
  for (let bit = 0; bit < 8; bit += 1) mirrored |= ((byte >> bit) & 1) << (7 - bit);
  return mirrored;
}
