import type { PasswordHasher } from "../../src/ports/password-hasher.ts";

/** Keeps passwords as they are, at once: for rules about who gets in. */
export class FakeHasher implements PasswordHasher {
  /** Passwords that were compared so far. */
  verified = 0;

  async hash(password: string): Promise<string> {
    return `kept:${password}`;
  }

  async verify(password: string, kept: string): Promise<boolean> {
    this.verified += 1;
    return kept === `kept:${password}`;
  }
}
