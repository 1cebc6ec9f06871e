/** Encrypts secrets that must be readable later, so that a copy of the database alone doesn't reveal them. */
export interface SecretBox {
  /** @param owner The account or browser that owns the secret. `unseal` requires the same owner. */
  seal(secret: string, owner: string): string;
  /** @throws {Error} If the secret was sealed for another owner or with an unknown key, or was modified. */
  unseal(sealed: string, owner: string): string;
  /** The ids of the keys. The ids reveal nothing about the keys. */
  readonly keyIds: readonly string[];
  /** Whether the secret was sealed with the current key. */
  isCurrent(sealed: string): boolean;
  /** Returns a 22-character keyed hash, for looking up the secret's record. */
  hash(secret: string): string;
  /** Returns the secret's hashes with all keys, beginning with the current key. */
  hashes(secret: string): readonly string[];
}
