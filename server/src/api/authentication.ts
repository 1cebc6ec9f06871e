import type { Account } from "../domain/account/account.ts";
import { Failure } from "../domain/failure.ts";

/** Finds the account that a token belongs to; undefined when the token is not valid. */
export type Authenticate = (token: string) => Promise<Account | undefined>;

/** Reads `Authorization: Bearer <token>` (RFC 6750 section 2.1; the scheme is case-insensitive). */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+)\s*$/i.exec(header ?? "")?.[1];
}

/**
 * The account whose token a request has.
 * @throws {Failure} `AuthorizationError` when the header is missing or has another scheme, or the token is not valid.
 */
export async function readAccount(header: string | undefined, authenticate: Authenticate): Promise<Account> {
  if (header === undefined) {
    throw new Failure(
      "AuthorizationError",
      "The request has no token: send it in the Authorization header, as Bearer <token>.",
    );
  }
  const token = readBearer(header);
  if (token === undefined) {
    throw new Failure("AuthorizationError", "The Authorization header must have the form Bearer <token>.");
  }
  const account = await authenticate(token);
  if (account !== undefined) return account;
  throw new Failure(
    "AuthorizationError",
    "This token is not valid: it has a typo, it was renewed or revoked, or its account is disabled.",
  );
}
