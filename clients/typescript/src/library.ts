import { cleanCause } from "./clean-cause.ts";
import { errorInEvent, whyNotConnected } from "./connect-failure.ts";
import { ConnectionError } from "./remote-browser-error.ts";

/**
 * Loads an optional library, which users install beside this package.
 * @param load Imports the library by its literal name, so that bundlers find it.
 * @throws {Error} When the library is missing. The message says what to install.
 */
export async function loadLibrary<Library>(name: string, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new Error(`${name} is not installed: run \`npm install ${name}\`.`, { cause: error });
  }
}

/** Whether the library itself is missing, rather than broken or without one of its own dependencies. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`);
}

/**
 * Waits for a library to connect.
 * @throws {ConnectionError} When it fails. The message says why, without the address that the library may quote.
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
