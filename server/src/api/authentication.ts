import type { Account } from "../domain/account/account.ts";
import { Failure } from "../domain/failure.ts";

/** Finds a token's account; undefined if the token is not valid. */
export type Authenticate = (token: string) => Promise<Account | undefined>;

/** Reads `Authorization: Bearer <token>` (RFC 6750 section 2.1; the scheme is case-insensitive). */
export function readBearer(header: string | undefined): string | undefined {
  return /^bearer +(\S+)\s*$/i.exec(header ?? "")?.[1];
}

/**
 * Returns the account whose token a request sends.
 * @throws {Failure} `AuthorizationError` if the header is missing or uses another scheme, or the token is not valid.
 */
export async function readAccount(header: string | undefined, authenticate: Authenticate): Promise<Account> {
  if (header === undefined)
    throw refusal("The request has no token: send it in the Authorization header, as Bearer <token>.");
  const token = readBearer(header);
  if (token === undefined) throw refusal("The Authorization header must have the form Bearer <token>.");
  const account = await authenticate(token);
  if (account !== undefined) return account;
  throw refusal("This token is not valid: it has a typo, it was renewed or revoked, or its account is disabled.");
}

function refusal(message: string): Failure {
  return new Failure("AuthorizationError", message);
}
