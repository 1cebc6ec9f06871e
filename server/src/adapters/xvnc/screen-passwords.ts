import { Mutex } from "../../concurrency/mutex.ts";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import type { SandboxFile } from "../../ports/sandboxes.ts";
import { PASSWORD_BYTES, encrypt } from "../rfb/vnc-auth.ts";

/**
 * The fixed key with which all VNC programs obscure stored passwords. They write it as 23, 82, 107, 6, 35, 78, 88, 7,
 * with the bits of each byte in reverse order.
 */
const KEY = Buffer.from("e84ad660c4721ae0", "hex");

/** The passwords that a screen accepts. Changes and the server's own logins take turns. */
export class ScreenPasswords {
  readonly #file: SandboxFile;
  readonly #newPassword: () => string;
  readonly #mutex = new Mutex();
  #current: ViewerPasswords | undefined;

  /**
   * @param file Read by Xvnc for every connection. If it is empty, every password is refused.
   * @param newPassword Returns 8 random characters.
   */
  constructor(file: SandboxFile, newPassword: () => string) {
    this.#file = file;
    this.#newPassword = newPassword;
  }

  /** @param passwords If undefined, the screen refuses every password. */
  set(passwords: ViewerPasswords | undefined): Promise<void> {
    return this.#mutex.run(async () => {
      await this.#write(passwords);
      this.#current = passwords;
    });
  }

  /** Calls `logIn` with a view-only password. If no passwords are set, a new one works until the promise settles. */
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

/** Makes a file like `vncpasswd -f`: both passwords, obscured, with the one for full control first. */
export function toPasswordFile({ full, viewOnly }: ViewerPasswords): Buffer {
  return Buffer.concat([obscure(full), obscure(viewOnly)]);
}

function obscure(password: string): Buffer {
  const text = Buffer.alloc(PASSWORD_BYTES);
  text.write(password, "latin1");
  return encrypt(KEY, text);
}
