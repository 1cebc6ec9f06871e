import { Failure } from "../../domain/failure.ts";
import { ShareUsed, StoreUnavailable } from "../../ports/store.ts";

/** A database that another process has locked, or a disk that fails, is worth another try soon. */
const RETRY_AFTER_S = 5;

/** The contract's names for a service that can't do an operation at this moment. */
export type UnavailableName = Extract<Failure["failure"], "BrowserUnavailable" | "ProviderUnavailable">;

/** A failure with `Retry-After` if the store can't do what it should now; other errors as they are. */
export function toStoreFailure(error: unknown, name?: UnavailableName): unknown {
  return error instanceof StoreUnavailable ? storeFailure(error, name) : error;
}

/** @throws {Failure} With `Retry-After`, if the store can't do it now. */
export async function orStoreFailure<T>(doing: Promise<T>, name?: UnavailableName): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    throw toStoreFailure(error, name);
  }
}

export function storeFailure(cause: unknown, name: UnavailableName = "BrowserUnavailable"): Failure {
  const why =
    cause instanceof ShareUsed
      ? "Too many requests wait for their share of the server's database."
      : "The server's database doesn't answer at this moment.";
  return new Failure(name, `${why} Try again in ${RETRY_AFTER_S} s.`, {
    retryAfterS: RETRY_AFTER_S,
    cause,
  });
}
