import { Failure } from "../../domain/failure.ts";
import { StoreUnavailable } from "../../ports/store.ts";

/** A database that another process has locked, or a disk that fails, is worth another try soon. */
const RETRY_AFTER_S = 5;

/** `BrowserUnavailable` with `Retry-After` if the store can't do what it should now; other errors as they are. */
export function toStoreFailure(error: unknown): unknown {
  return error instanceof StoreUnavailable ? storeFailure(error) : error;
}

/** @throws {Failure} `BrowserUnavailable` with `Retry-After` if the store can't do it now. */
export async function orStoreFailure<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } catch (error) {
    throw toStoreFailure(error);
  }
}

export function storeFailure(cause: unknown): Failure {
  return new Failure(
    "BrowserUnavailable",
    `The server's database doesn't answer at this moment. Try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S, cause },
  );
}
