import { HasherBusy } from "../../ports/password-hasher.ts";

/** The part of the user's input that an error is about. */
type AccountField = "email" | "password" | "newPassword" | "plan";

/** A mistake in what a user or an operator entered. Its message is shown to them. */
export class AccountError extends Error {
  override readonly name = "AccountError";
  /** Undefined when the error isn't about a single field. */
  readonly field: AccountField | undefined;

  constructor(message: string, { field, cause }: { readonly field?: AccountField; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.field = field;
  }
}

/** The server is hashing too many passwords already. Retrying in a few seconds makes sense. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Too many passwords were tried, or too many accounts created. */
export class TooManyAttempts extends Error {
  override readonly name = "TooManyAttempts";
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** @throws {BusyError} In place of the hasher's own `HasherBusy`. */
export async function orBusy<T>(hashing: Promise<T>): Promise<T> {
  try {
    return await hashing;
  } catch (cause) {
    if (!(cause instanceof HasherBusy)) throw cause;
    throw new BusyError("Too many passwords are waiting to be hashed.", { cause });
  }
}
