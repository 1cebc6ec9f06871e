import { cleanCause } from "./clean-cause.ts";
import { wordsOf } from "./fetch-failure.ts";
import { ConnectionError } from "./remote-browser-error.ts";
import { withoutIds } from "./secrets.ts";

// Terminal colour codes.
const COLOURS = new RegExp(String.raw`\u001B\[[\d;]*m`, "g");

/**
 * Loads an optional library, which users install themselves.
 * @param load Imports the library by its literal name, so that bundlers find it.
 * @throws {Error} If the library is missing. The message names the package to install.
 */
export async function loadLibrary<Library>(name: string, load: () => Promise<Library>): Promise<Library> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new Error(`${name} is not installed: run \`npm install ${name}\`.`, { cause: error });
  }
}

/** Whether the library itself is missing, rather than broken or incomplete. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message = "" } = error as { code?: string; message?: string };
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`);
}

/**
 * Waits for a library to connect.
 * @throws {ConnectionError} If connecting fails. The message states the reason, without the browser's address.
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

/** Describes why a library could not connect, on one line and without the browser's address. */
function whyNotConnected(thrown: unknown, address: string): string {
  // Libraries may normalize the address, so ids must be removed separately.
  const words = withoutIds(firstLine(thrown).replaceAll(address, "the browser's address"));
  if (/ 404\b/.test(words)) return "the browser has closed or never existed (404).";
  if (words.includes("ECONNREFUSED")) return `${hostOf(address)} refused the connection (ECONNREFUSED).`;
  if (words.includes("ENOTFOUND")) return `the host ${hostOf(address)} was not found (ENOTFOUND).`;
  return words === "" ? "the library reported no reason." : words;
}

/** Returns the error in an event. Puppeteer's WebSocket throws events, which may contain an error. */
function errorInEvent(thrown: unknown): unknown {
  return thrown instanceof Error ? undefined : toParts(thrown).error;
}

/** Returns the first line of a message. In Playwright's messages, the remaining lines are its log. */
function firstLine(thrown: unknown): string {
  const { message } = toParts(thrown);
  const inner = errorInEvent(thrown);
  const own = typeof message === "string" ? message.trim() : "";
  const words = own === "" && inner !== undefined ? wordsOf(inner) : own;
  return words.replaceAll(COLOURS, "").split("\n", 1)[0]?.trim() ?? "";
}

function toParts(thrown: unknown): { readonly message?: unknown; readonly error?: unknown } {
  if (typeof thrown === "string") return { message: thrown };
  return typeof thrown === "object" && thrown !== null ? thrown : {};
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "its address";
}
