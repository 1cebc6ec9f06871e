import { Mutex } from "../../concurrency/mutex.ts";
import type { ViewerPasswords } from "../../domain/browser/desktop.ts";
import type { PasswordFile } from "./password-file.ts";

/**
 * Who may come in to a screen: those who were admitted, and, for the moments that it needs to get in, the server itself.
 * All take turns, so that nobody writes over the passwords that another relies on.
 */
export class ViewerAccess {
  readonly #file: PasswordFile;
  readonly #newPassword: () => string;
  #admitted: ViewerPasswords | undefined;
  readonly #lock = new Mutex();

  /** @param newPassword 8 random characters. */
  constructor(file: PasswordFile, newPassword: () => string) {
    this.#file = file;
    this.#newPassword = newPassword;
  }

  setPasswords(passwords: ViewerPasswords | undefined): Promise<void> {
    return this.#lock.run(async () => {
      await this.#file.write(passwords);
      this.#admitted = passwords;
    });
  }

  /**
   * @param enter Shows the password, which is good to look with until the promise settles; where nobody is admitted, it
   *   is good for nobody else, and for nothing afterwards.
   */
  pass<T>(enter: (password: string) => Promise<T>): Promise<T> {
    return this.#lock.run(async () => {
      if (this.#admitted !== undefined) return enter(this.#admitted.viewOnly);
      const [full, viewOnly] = [this.#newPassword(), this.#newPassword()];
      try {
        await this.#file.write({ full, viewOnly });
        return await enter(viewOnly);
      } finally {
        await this.#file.write(undefined);
      }
    });
  }
}
