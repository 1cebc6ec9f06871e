import { isNode, readVariable } from "./environment.ts";
import { VERSION } from "./generated/version.ts";
import { withoutSecrets } from "./secrets.ts";
import { unknownName } from "./unknown-name.ts";

/** A client's settings. All settings are optional if `RBS_TOKEN` is set. */
export interface ClientSettings {
  /** The service's URL, including a path prefix. Default: `RBS_URL`, or else `http://127.0.0.1:8080`. */
  readonly url?: string | URL | undefined;
  /** The account's token. Default: `RBS_TOKEN`. */
  readonly token?: string | undefined;
  /**
   * Timeout for one attempt in **milliseconds**, from connecting to the last byte of the response. This timeout doesn't
   * apply to queries. Default: 90,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Timeout for a call in **milliseconds**, including all attempts and the pauses between them. Default: 300,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** Maximum number of retries per call. Calls are retried only if retrying is safe. Default: 2. */
  readonly retries?: number | undefined;
  /** Extra headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A function that sends a request. Default: the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Validated settings. */
export type Settings = {
  readonly [Name in keyof ClientSettings]-?: Exclude<ClientSettings[Name], URL | undefined>;
};

/** All settings. The compiler checks that the list is complete. */
const NAMES = Object.keys({
  url: true,
  token: true,
  timeoutMs: true,
  totalTimeoutMs: true,
  retries: true,
  headers: true,
  fetch: true,
} satisfies Record<keyof ClientSettings, true>);

const DEFAULT_URL = "http://127.0.0.1:8080";

// The maximum delay of `setTimeout`, which fires immediately if the delay is longer.
const LONGEST_MS = 2 ** 31 - 1;

/** Headers that the client or `fetch` sets. Custom values would corrupt the request, or `fetch` would reject them. */
const OWN_HEADERS = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  // With a shared key, every Open request would return the same browser.
  "idempotency-key",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** @throws {TypeError} If a setting is invalid. The message names the setting, but never shows the token. */
export function readSettings(given: ClientSettings): Settings {
  refuseUnknown(given);
  const token = readToken(given.token);
  return {
    url: readUrl(given.url, token),
    token,
    timeoutMs: readMs("timeoutMs", given.timeoutMs ?? 90_000),
    totalTimeoutMs: readMs("totalTimeoutMs", given.totalTimeoutMs ?? 300_000),
    retries: readRetries(given.retries ?? 2),
    headers: {
      ...(isNode() && { "user-agent": `remote-browser-typescript/${VERSION}` }),
      // A reused connection may close while an Open request is being sent, and with version 1.0, an Open request can't
      // be retried.
      ...(isNode() && { connection: "close" }),
      ...readHeaders(given.headers ?? {}),
      authorization: `Bearer ${token}`,
    },
    // Look up the global `fetch` on each request, and call it as a method of `globalThis`, as web browsers require.
    fetch: given.fetch ?? ((request) => globalThis.fetch(request)),
  };
}

/** JavaScript and spread objects can contain unknown settings. */
function refuseUnknown(given: ClientSettings): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null && !NAMES.includes(name)) throw unknownName("setting", name, NAMES);
  }
}

function readToken(given: string | undefined): string {
  const token = given ?? readVariable("RBS_TOKEN");
  if (token === undefined) throw new TypeError("There is no token: pass `token`, or set RBS_TOKEN.");
  const where = given === undefined ? "RBS_TOKEN" : "`token`";
  if (token === "") throw new TypeError("`token` is empty: pass the account's token.");
  if (!/^[\x21-\x7E]+$/.test(token)) {
    throw new TypeError(`${where} has a space, a line break or another character that is not allowed in tokens.`);
  }
  return token;
}

function readUrl(given: string | URL | undefined, token: string): string {
  const text = String(given ?? readVariable("RBS_URL") ?? DEFAULT_URL);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url !== undefined && ["http:", "https:"].includes(url.protocol);
  // Even an invalid URL may contain a password.
  if (isHttp ? url.username !== "" || url.password !== "" : text.includes("@")) {
    throw new TypeError("`url` has a user name or a password: the service only accepts tokens.");
  }
  if (!isHttp || /[?#]/.test(url.href)) {
    const shown = JSON.stringify(withoutSecrets(text, token));
    throw new TypeError(`\`url\` is ${shown}: ${whatIsWrong(text, isHttp)}, such as https://browsers.example/prefix.`);
  }
  return url.href.replace(/\/+$/, "");
}

function whatIsWrong(text: string, isHttp: boolean): string {
  if (isHttp) return "it must not contain ? or #";
  if (!/^\s*https?:/i.test(text)) return "it must begin with http:// or https://";
  const isRightWithoutPort = URL.canParse(text.replace(/(:\/\/[^/?#]*):[^:/?#\]]*/, "$1"));
  return isRightWithoutPort ? "its port must be a number from 0 to 65535" : "it must be a complete URL";
}

function readMs(name: string, value: number): number {
  if (typeof value === "number" && value > 0 && value <= LONGEST_MS) return value;
  throw new TypeError(`\`${name}\` is ${value}: it must be a number of milliseconds above 0 and up to ${LONGEST_MS}.`);
}

function readRetries(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`\`retries\` is ${value}: it must be a whole number, 0 or more.`);
}

function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower === "authorization") throw new TypeError("`headers` has Authorization: pass `token` instead.");
    if (OWN_HEADERS.has(lower)) {
      throw new TypeError(`\`headers\` has ${name}, which the client sets itself: remove it.`);
    }
    try {
      read.set(lower, value);
    } catch {
      // The original error shows the header's value, which may be a secret.
      throw new TypeError(`\`headers\` has ${JSON.stringify(name)}, whose name or value is not valid in HTTP.`);
    }
  }
  return Object.fromEntries(read);
}
