import { cleanCause } from "./clean-cause.ts";
import { errorInEvent, whyNotConnected } from "./connect-failure.ts";
import { ConnectionError } from "./remote-browser-error.ts";

/**
 * Loads a library that users install beside this package, since not everybody needs it.
 * @param load Names the library itself, so that bundlers find it.
 * @throws {Error} That says what to install, when it is missing.
 */
export async function loadLibrary<Library>(name: string, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new Error(`${name} is not installed: run \`npm install ${name}\`.`, { cause: error });
  }
}

/** A library that is there and broken is another matter; so is one that lacks a package of its own. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`);
}

/**
 * Waits for a library to be connected.
 * @throws {ConnectionError} That says why, without the address that the library may quote.
 */
export async function connected<Connection>(connecting: Promise<Connection>, address: string): Promise<Connection> {
  try {
    return await connecting;
  } catch (error) {
    const inner = errorInEvent(error);
    const options = inner === undefined ? {} : { cause: cleanCause(inner, address) };
    throw new ConnectionError(`Could not connect to the browser: ${whyNotConnected(error, address)}`, options);
  }
}
