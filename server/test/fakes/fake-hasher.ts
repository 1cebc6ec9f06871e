import type { PasswordHasher } from "../../src/ports/password-hasher.ts";

/** Stores passwords unhashed, so that tests of sign-in rules are fast. */
export class FakeHasher implements PasswordHasher {
  /** The number of passwords compared so far. */
  verified = 0;

  /** The number of passwords hashed so far. */
  hashed = 0;

  async hash(password: string): Promise<string> {
    this.hashed += 1;
    return `plain:${password}`;
  }

  async verify(password: string, hash: string): Promise<boolean> {
    this.verified += 1;
    return hash === `plain:${password}`;
  }
}
