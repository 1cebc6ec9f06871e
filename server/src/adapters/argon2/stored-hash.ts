export type Parameters = {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
};

type StoredHash = Parameters & { readonly salt: Buffer; readonly tag: Buffer };

/** Limits the digits of each number, so that a stored hash can't require too much memory or time. */
const FORMAT =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d{0,2}),p=([1-9]\d{0,1})\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{16,86})$/;

/** Writes the PHC string format, which other Argon2 implementations can read. */
export function renderHash({ memoryKiB, passes, parallelism, salt, tag }: StoredHash): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
}

/** @throws {Error} If the text isn't an argon2id hash of version 19. The message doesn't contain the text. */
export function readHash(text: string): StoredHash {
  const [, memory, passes, parallelism, salt = "", tag = ""] = FORMAT.exec(text) ?? [];
  if (memory === undefined) throw new Error("The stored password is not an argon2id hash of version 19.");
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

/** Without padding, as the format requires. */
function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
