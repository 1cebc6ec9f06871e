/** Encrypts secrets that must be read again, so that a copy of the database alone does not reveal them. */
export interface SecretBox {
  /** @param owner What the secret belongs to: an account or a browser. Only `unseal` with the same owner works. */
  seal(secret: string, owner: string): string;
  /** @throws {Error} If the secret was sealed for another owner or with an unknown key, or was modified. */
  unseal(sealed: string, owner: string): string;
  /** The ids of its keys, which reveal nothing about them. */
  readonly keyIds: readonly string[];
  /** Whether it was sealed with the key that `seal` uses now. */
  isCurrent(sealed: string): boolean;
  /** A keyed hash of a secret, to find its record with: 22 characters. */
  hash(secret: string): string;
  /** The hashes that records of the secret can have: the hash of the current key, and the hashes of the others. */
  hashes(secret: string): readonly string[];
}
