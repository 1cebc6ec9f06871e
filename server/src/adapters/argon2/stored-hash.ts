/** How an argon2id hash was made. */
export type Parameters = {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly parallelism: number;
};

/** What is kept of a password. */
export type KeptHash = Parameters & { readonly salt: Buffer; readonly tag: Buffer };

/** The numbers have few digits, so that nothing that is kept can ask for more memory or time than a server has. */
const KEPT =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d{0,2}),p=([1-9]\d{0,1})\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{16,86})$/;

/** The PHC string format, which other implementations of Argon2 write and read as well. */
export function renderKept({ memoryKiB, passes, parallelism, salt, tag }: KeptHash): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
}

/** @throws {Error} When the text is no such hash; it does not show it. */
export function readKept(text: string): KeptHash {
  const [, memory, passes, parallelism, salt = "", tag = ""] = KEPT.exec(text) ?? [];
  if (memory === undefined) throw new Error("What is kept of a password is no argon2id hash of version 19.");
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

/** Without padding, as the format has it. */
function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}
