import { HasherBusy } from "../../ports/password-hasher.ts";

/** Too much is under way to do this as well: trying again in a few seconds makes sense. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** What work with passwords comes to. @throws {BusyError} When too many wait for theirs already. */
export async function orBusy<T>(hashing: Promise<T>): Promise<T> {
  try {
    return await hashing;
  } catch (cause) {
    if (!(cause instanceof HasherBusy)) throw cause;
    throw new BusyError("Too many passwords wait to be checked.", { cause });
  }
}
