import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import type { SecretBox } from "../../ports/secret-box.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Sealed secrets begin with the version of their format. */
const VERSION = "1:";

/**
 * Encrypts secrets with a key from a file next to the database, so that a copy of the database alone doesn't reveal them.
 * @param file Path of the key. Created when missing, readable only by the server's user.
 * @throws {Error} If the file can't be read or created, or contains no key.
 */
export function newFileKeyBox(file: string): SecretBox {
  const key = readKey(file) ?? makeKey(file);
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
    },
    open(sealed, owner) {
      if (!sealed.startsWith(VERSION)) throw new Error("The secret was sealed in an unknown format.");
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
      const [nonce, text] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES + TAG_BYTES)];
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
    },
  };
}

function readKey(file: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(file, "utf8").trim(), "base64url");
    if (key.length !== KEY_BYTES)
      throw new Error(`The file ${file} contains no key: restore the right one, or remove the file.`);
    // A file restored from a backup may have another mode.
    chmodSync(file, 0o600);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function makeKey(file: string): Buffer {
  const key = randomBytes(KEY_BYTES);
  // Fails if the file exists by now: a key must never be overwritten.
  const handle = openSync(file, "wx", 0o600);
  try {
    writeFileSync(handle, `${key.toString("base64url")}\n`);
  } finally {
    closeSync(handle);
  }
  return key;
}
