import { createCipheriv } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { ViewerPasswords } from "../../domain/desktop.ts";

/** The key that every VNC program obscures kept passwords with: it keeps them from the eye, not from anybody. */
const KEY = Buffer.from([23, 82, 107, 6, 35, 78, 88, 7]);

const PASSWORD_BYTES = 8;

/** The passwords as VNC servers read them at every connection. Disposing lets the file go; never throws. */
export interface PasswordFile extends AsyncDisposable {
  /** Undefined: nobody gets in. */
  write(passwords: ViewerPasswords | undefined): Promise<void>;
}

/**
 * Makes the file, with nobody let in. It is written to by its handle from then on: its name lies where a jail can write,
 * and could be made to lead to any file of the host.
 * @param owner Whose it is; undefined: the server's.
 */
export async function makePasswordFile(path: string, owner: number | undefined): Promise<PasswordFile> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600);
  if (owner !== undefined) await file.chown(owner, owner);
  let closing: Promise<void> | undefined;
  return {
    async write(passwords) {
      if (passwords === undefined) return file.truncate(0);
      await file.write(toPasswordFile(passwords), 0, undefined, 0);
    },
    [Symbol.asyncDispose]: () => (closing ??= file.close()),
  };
}

/** Both passwords, the one for full use first, each obscured: what `vncpasswd -f` writes. */
export function toPasswordFile({ full, viewOnly }: ViewerPasswords): Buffer {
  return Buffer.concat([obscure(full), obscure(viewOnly)]);
}

function obscure(password: string): Buffer {
  const text = Buffer.alloc(PASSWORD_BYTES);
  text.write(password, "latin1");
  // DES is not among OpenSSL 3's ciphers any more; triple DES with one key thrice is the same.
  const key = KEY.map(mirror);
  const cipher = createCipheriv("des-ede3-ecb", Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(text), cipher.final()]);
}

/** VNC reads the bits of a key's bytes from the other end than DES does. */
function mirror(byte: number): number {
  let mirrored = 0;
  for (let bit = 0; bit < 8; bit += 1) if ((byte & (1 << bit)) !== 0) mirrored |= 0x80 >> bit;
  return mirrored;
}
