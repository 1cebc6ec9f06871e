import { type Failure, type UnavailableName, unavailable } from "../../domain/failure.ts";
import { ShareUsed, StoreUnavailable } from "../../ports/store/store.ts";

/** Returns a failure with `Retry-After` if the store is unavailable; returns other errors unchanged. */
export function toStoreFailure(error: unknown, name?: UnavailableName): unknown {
  return error instanceof StoreUnavailable ? storeFailure(error, name) : error;
}

/** @throws {Failure} With `Retry-After`, if the store is unavailable. */
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
      ? "Too many requests are waiting for their share of the server's database."
      : "The server's database doesn't answer at this moment.";
  return unavailable(why, { name, cause });
}
