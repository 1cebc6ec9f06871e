import { createCipheriv } from "node:crypto";

export const CHALLENGE_BYTES = 16;
const KEY_BYTES = 8;

/**
 * The answer to a challenge: the challenge, encrypted with DES under the password (RFC 6143, section 7.2.2).
 */
export function answerChallenge(password: string, challenge: Buffer): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  // VNC uses only the first 8 characters of a password, and DES expects each byte with its bits reversed.
  for (let at = 0; at < KEY_BYTES; at += 1) key[at] = mirror(password.charCodeAt(at) || 0);
  // OpenSSL 3 dropped plain DES; triple DES with three equal keys gives the same result.
  const cipher = createCipheriv("des-ede3-ecb", Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

function mirror(byte: number): number {
  let mirrored = 0;
  for (let bit = 0; bit < 8; bit += 1) mirrored |= ((byte >> bit) & 1) << (7 - bit);
  return mirrored;
}
