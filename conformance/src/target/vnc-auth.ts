import { createCipheriv } from "node:crypto";

export const CHALLENGE_BYTES = 16;
const KEY_BYTES = 8;

/** Encrypts a challenge with the password as the key of DES (RFC 6143, section 7.2.2). */
export function answerChallenge(password: string, challenge: Buffer): Buffer {
  // VNC counts the bits of a key from the other end.
  const key = Buffer.alloc(KEY_BYTES);
  key.set(Buffer.from(password, "latin1").subarray(0, KEY_BYTES).map(reverse));
  // OpenSSL 3 has triple DES alone, which with one key thrice is plain DES.
  const cipher = createCipheriv("des-ede3-ecb", Buffer.concat([key, key, key]), null);
  return cipher.setAutoPadding(false).update(challenge);
}

function reverse(byte: number): number {
  return Number.parseInt(byte.toString(2).padStart(8, "0").split("").toReversed().join(""), 2);
}
