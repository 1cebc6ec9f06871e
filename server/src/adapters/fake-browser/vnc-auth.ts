import { createCipheriv } from "node:crypto";

export const CHALLENGE_BYTES = 16;
const KEY_BYTES = 8;

/**
 * What a viewer who knows the password answers to a challenge: the challenge encrypted with DES, the password being the
 * key (RFC 6143, section 7.2.2).
 */
export function answerChallenge(password: string, challenge: Buffer): Buffer {
  const key = Buffer.alloc(KEY_BYTES);
  // Longer ones are cut, as by all VNC servers; in each byte the first bit is taken for the last.
  for (let at = 0; at < KEY_BYTES; at += 1) key[at] = mirror(password.charCodeAt(at) || 0);
  // OpenSSL 3 has no plain DES any more; triple DES with the same key thrice is the same.
  const cipher = createCipheriv("des-ede3-ecb", Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

function mirror(byte: number): number {
  let mirrored = 0;
  for (let bit = 0; bit < 8; bit += 1) mirrored |= ((byte >> bit) & 1) << (7 - bit);
  return mirrored;
}
