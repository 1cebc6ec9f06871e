import type { Account } from "../domain/account/account.ts";
import { Failure } from "../domain/failure.ts";

/** The account that a token belongs to; undefined for one that opens nothing. */
export type Authenticate = (token: string) => Promise<Account | undefined>;

/**
 * Reads `Authorization: Bearer <token>` (RFC 6750 section 2.1; the scheme's case does not matter).
 * @throws {Failure} `AuthorizationError` when it is missing, of another scheme, or its token unknown.
 */
export async function readAccount(header: string | undefined, authenticate: Authenticate): Promise<Account> {
  if (header === undefined) {
    throw new Failure(
      "AuthorizationError",
      "The request carries no token: send the header Authorization: Bearer <token>.",
    );
  }
  const [, token] = /^bearer +([^\s]+)\s*$/i.exec(header) ?? [];
  if (token === undefined) {
    throw new Failure("AuthorizationError", "The Authorization header is not of the form Bearer <token>.");
  }
  const account = await authenticate(token);
  if (account !== undefined) return account;
  throw new Failure(
    "AuthorizationError",
    "This token is not valid: it is mistyped, was renewed or revoked, or its account is disabled.",
  );
}
