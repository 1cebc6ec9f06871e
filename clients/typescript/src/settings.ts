import { isNode, readVariable } from "./environment.ts";
import { VERSION } from "./generated/version.ts";
import { withoutSecrets } from "./secrets.ts";
import { unknownName } from "./unknown-name.ts";

/** How a client reaches the service. Everything may be left out where `RBS_TOKEN` is set. */
export interface ClientSettings {
  /** Where the service is, with its path prefix if there is one. Left out: `RBS_URL`, and without that `http://127.0.0.1:8080`. */
  readonly url?: string | URL | undefined;
  /** The account's token. Left out: `RBS_TOKEN`. */
  readonly token?: string | undefined;
  /** What one attempt may take, in **milliseconds**, from connecting to the last byte; queries are bounded by `totalTimeoutMs` only. Left out: 90 000. */
  readonly timeoutMs?: number | undefined;
  /** What a call may take, in **milliseconds**, with all its attempts and the waits between them. Left out: 300 000. */
  readonly totalTimeoutMs?: number | undefined;
  /** How often a call is repeated at most, where repeating is safe. Left out: 2. */
  readonly retries?: number | undefined;
  /** Headers that every request carries besides the client's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** What sends a request. Left out: the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** Settings that have been read and checked. */
export type Settings = {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly retries: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: (request: Request) => Promise<Response>;
};

/** All settings: the compiler sees to that. */
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

// Timers count in 32 bits, and end at once beyond that.
const LONGEST_MS = 2 ** 31 - 1;

/** What says how a request is written; another value would garble it, or `fetch` refuses it. */
const OWN_HEADERS = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
]);

/** @throws {TypeError} That says which setting is wrong, and never shows the token. */
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
      // A kept connection may end just as an Open goes over it, which then could not be repeated.
      ...(isNode() && { connection: "close" }),
      ...readHeaders(given.headers ?? {}),
      authorization: `Bearer ${token}`,
    },
    // Looked up late, so that a replaced global is used, and called without `this`, which web browsers insist on.
    fetch: given.fetch ?? ((request) => globalThis.fetch(request)),
  };
}

/** Programs without types, and objects that are spread, may bring along anything. */
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
    throw new TypeError(`${where} has a space, a line break or another character that no token has.`);
  }
  return token;
}

function readUrl(given: string | URL | undefined, token: string): string {
  const text = String(given ?? readVariable("RBS_URL") ?? DEFAULT_URL);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url !== undefined && ["http:", "https:"].includes(url.protocol);
  // Of what is no such URL, a password may be a part.
  if (isHttp ? url.username !== "" || url.password !== "" : text.includes("@")) {
    throw new TypeError("`url` has a user name or a password: the service knows tokens only.");
  }
  if (!isHttp || /[?#]/.test(url.href)) {
    const shown = JSON.stringify(withoutSecrets(text, token));
    throw new TypeError(`\`url\` is ${shown}: ${whatIsWrong(text, isHttp)}, like https://browsers.example/prefix.`);
  }
  return url.href.replace(/\/+$/, "");
}

function whatIsWrong(text: string, isHttp: boolean): string {
  if (isHttp) return "it is to have neither ? nor #";
  return /^\s*https?:/i.test(text) ? "it is to be a whole URL" : "it is to begin with http:// or https://";
}

function readMs(name: string, value: number): number {
  if (typeof value === "number" && value > 0 && value <= LONGEST_MS) return value;
  throw new TypeError(`\`${name}\` is ${value}: it is to be a number of milliseconds above 0, ${LONGEST_MS} at most.`);
}

function readRetries(value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`\`retries\` is ${value}: it is to be 0, 1, 2 or another whole number.`);
}

function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const read = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower === "authorization") throw new TypeError("`headers` has Authorization: pass `token` in its place.");
    if (OWN_HEADERS.has(lower)) {
      throw new TypeError(`\`headers\` has ${name}, which the client has to write itself: leave it out.`);
    }
    try {
      read.set(lower, value);
    } catch {
      // The reason would show the value, which may be a secret.
      throw new TypeError(`\`headers\` has ${JSON.stringify(name)}, whose name or value HTTP cannot carry.`);
    }
  }
  return Object.fromEntries(read);
}
