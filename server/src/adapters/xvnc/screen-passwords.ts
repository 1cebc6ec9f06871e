import { Mutex } from "../../concurrency/mutex.ts";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import type { SandboxFile } from "../../ports/sandboxes.ts";
import { PASSWORD_BYTES, encrypt } from "../rfb/vnc-auth.ts";

/**
 * The key that all VNC programs obscure stored passwords with, in OpenSSL's bit order. VNC programs write it as 23, 82,
 * 107, 6, 35, 78, 88, 7, and read the bits of each byte from the other end.
 */
const KEY = Buffer.from("e84ad660c4721ae0", "hex");

/** The passwords that a screen accepts. Changes and logins of the server itself take turns. */
export class ScreenPasswords {
  readonly #file: SandboxFile;
  readonly #newPassword: () => string;
  readonly #mutex = new Mutex();
  #current: ViewerPasswords | undefined;

  /**
   * @param file Xvnc reads it at every connection. Empty: every password is refused.
   * @param newPassword Makes 8 random characters.
   */
  constructor(file: SandboxFile, newPassword: () => string) {
    this.#file = file;
    this.#newPassword = newPassword;
  }

  /** @param passwords Undefined: the screen refuses every password. */
  set(passwords: ViewerPasswords | undefined): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#write(passwords);
      this.#current = passwords;
    });
  }

  /**
   * Calls `logIn` with a view-only password. While no passwords are set, this is a new one that works until the promise
   * settles.
   */
  use<T>(logIn: (password: string) => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      if (this.#current !== undefined) return logIn(this.#current.viewOnly);
      const [full, viewOnly] = [this.#newPassword(), this.#newPassword()];
      try {
        await this.#write({ full, viewOnly });
        return await logIn(viewOnly);
      } finally {
        await this.#write(undefined);
      }
    });
  }

  #write(passwords: ViewerPasswords | undefined): Promise<void> {
    return this.#file.write(passwords === undefined ? Buffer.alloc(0) : toPasswordFile(passwords));
  }
}

/** Both passwords, the one for full control first, each obscured: what `vncpasswd -f` writes. */
export function toPasswordFile({ full, viewOnly }: ViewerPasswords): Buffer {
  return Buffer.concat([obscure(full), obscure(viewOnly)]);
}

function obscure(password: string): Buffer {
  const text = Buffer.alloc(PASSWORD_BYTES);
  text.write(password, "latin1");
  return encrypt(KEY, text);
}
