import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import type { Sandbox } from "../../ports/sandboxes.ts";
import { PASSWORD_BYTES, encrypt } from "./vnc-auth.ts";

/**
 * The key that every VNC program obscures kept passwords with: it keeps them from the eye, not from anybody. As DES takes
 * it; VNC programs have 23, 82, 107, 6, 35, 78, 88, 7, and read the bits of each byte from the other end.
 */
const KEY = Buffer.from("e84ad660c4721ae0", "hex");

/** The passwords as VNC servers read them at every connection. Disposing lets the file go; never throws. */
export interface PasswordFile extends AsyncDisposable {
  /** Undefined: nobody gets in. */
  write(passwords: ViewerPasswords | undefined): Promise<void>;
}

/**
 * Makes the file, with nobody let in. It is written to by its handle from then on: its name lies where a jail can write,
 * and could be made to lead to any file of the host.
 * @param cell One in which no program has been run yet.
 */
export async function makePasswordFile(cell: Sandbox, name: string): Promise<PasswordFile> {
  await cell.writeFile(name, "");
  const file = await open(join(cell.folder, name), constants.O_WRONLY | constants.O_NOFOLLOW);
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
  return encrypt(KEY, text);
}
