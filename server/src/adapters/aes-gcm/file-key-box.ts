import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { chmodSync, closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import type { SecretBox } from "../../ports/secret-box.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 8;
const HASH_LENGTH = 22;

/** Format of sealed secrets: `2:id:…` with the key's id, or `1:…` from earlier versions. */
const SEALED = /^(?:1:|2:(?<id>[\w-]+):)(?<bytes>[\w-]+)$/;

/**
 * Encrypts secrets with a key from a file, so that a copy of the database alone doesn't reveal them.
 * @param file Path of the key file. A missing file is created, and only the server's user can read it.
 * @throws {Error} If the file can't be read or created, or doesn't contain a key.
 */
export function newFileKeyBox(file: string): SecretBox {
  return newKeyBox(readFile(file) ?? makeFile(file), `The file ${file}`);
}

/**
 * Encrypts secrets with AES-256-GCM.
 * @param text A base64 key on each line. Secrets are sealed with the first key, and can be unsealed with all of them.
 * @param source How error messages refer to the text.
 * @throws {Error} If a line isn't a key, or there are no keys.
 */
export function newKeyBox(text: string, source: string): SecretBox {
  const keys = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line, "base64url"));
  const [current] = keys;
  if (current === undefined || keys.some(({ length }) => length !== KEY_BYTES)) {
    throw new Error(
      `${source} contains no key. It must have a key of ${KEY_BYTES} bytes in base64 on each line. Restore the right key, or generate a new one: ` +
        `openssl rand -base64 ${KEY_BYTES}`,
    );
  }
  const ofId = new Map(keys.map((key) => [toKeyId(key), key]));
  const currentId = toKeyId(current);
  const [hash = () => "", ...hashesOfOthers] = keys.map(toHash);
  return {
    seal(secret, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current, nonce).setAAD(Buffer.from(owner));
      const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return `2:${currentId}:${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
    },
    unseal(sealed, owner) {
      const { id, bytes } = SEALED.exec(sealed)?.groups ?? {};
      if (bytes === undefined) throw new Error("The secret was sealed in an unknown format.");
      if (id === undefined) return unsealWithAny(keys, bytes, owner);
      const key = ofId.get(id);
      if (key === undefined)
        throw new Error(`The secret was sealed with the key ${id}, which this server doesn't have.`);
      return openWith(key, bytes, owner);
    },
    keyIds: [...ofId.keys()],
    isCurrent: (sealed) => sealed.startsWith(`2:${currentId}:`),
    hash,
    hashes: (secret) => [hash, ...hashesOfOthers].map((of) => of(secret)),
  };
}

function toHash(key: Buffer): (secret: string) => string {
  // A derived key, because the key itself is only for encryption.
  const hashKey = createHmac("sha256", key).update("addresses").digest();
  return (secret) => createHmac("sha256", hashKey).update(secret).digest("base64url").slice(0, HASH_LENGTH);
}

function toKeyId(key: Buffer): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, KEY_ID_LENGTH);
}

function openWith(key: Buffer, text: string, owner: string): string {
  const bytes = Buffer.from(text, "base64url");
  const [nonce, sealed] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString("utf8");
}

function unsealWithAny(keys: readonly Buffer[], text: string, owner: string): string {
  let failure: unknown;
  for (const key of keys) {
    try {
      return openWith(key, text, owner);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function readFile(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8");
    // A file restored from a backup may have the wrong mode.
    chmodSync(file, 0o600);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function makeFile(file: string): string {
  const key = `${randomBytes(KEY_BYTES).toString("base64url")}\n`;
  // Fails if the file exists, because a key must never be overwritten.
  const handle = openSync(file, "wx", 0o600);
  try {
    writeFileSync(handle, key);
  } finally {
    closeSync(handle);
  }
  return key;
}
