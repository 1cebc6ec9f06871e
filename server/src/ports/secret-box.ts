/** Keeps secrets that have to be read again, so that who has the books alone can't read them. */
export interface SecretBox {
  /** @param owner What the secret belongs to: it opens for no other. */
  seal(secret: string, owner: string): string;
  /** @throws {Error} When it was sealed for another owner or with another key, or was changed. */
  open(sealed: string, owner: string): string;
}
