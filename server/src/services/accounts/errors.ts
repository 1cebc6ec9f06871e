import { HasherBusy } from "../../ports/password-hasher.ts";

/** The input field that caused an error. */
type AccountField = "email" | "password" | "newPassword" | "plan";

/** A mistake in input from a user or operator, who sees the error's message. */
export class AccountError extends Error {
  override readonly name = "AccountError";
  /** Undefined if the error isn't about a single field. */
  readonly field: AccountField | undefined;

  constructor(message: string, { field, cause }: { readonly field?: AccountField; readonly cause?: unknown } = {}) {
    super(message, { cause });
    this.field = field;
  }
}

/** The server is already hashing too many passwords. Retry in a few seconds. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Too many passwords were tried, or too many accounts were created. */
export class TooManyAttempts extends Error {
  override readonly name = "TooManyAttempts";
  readonly retryAfterS: number;

  constructor(message: string, retryAfterS: number) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** @throws {BusyError} Replaces the hasher's `HasherBusy`. */
export async function orBusy<T>(hashing: Promise<T>): Promise<T> {
  try {
    return await hashing;
  } catch (cause) {
    if (!(cause instanceof HasherBusy)) throw cause;
    throw new BusyError("Too many passwords are waiting to be hashed.", { cause });
  }
}
