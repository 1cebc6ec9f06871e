/** Encrypts secrets that must be read again, so that a copy of the database alone does not reveal them. */
export interface SecretBox {
  /** @param owner The account the secret belongs to. Only `open` with the same owner works. */
  seal(secret: string, owner: string): string;
  /** @throws {Error} If the secret was sealed for another owner or with another key, or was modified. */
  open(sealed: string, owner: string): string;
}
