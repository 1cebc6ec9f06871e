import { randomInt } from "node:crypto";
import { toObject } from "../target/json.ts";
import type { Account, SendOptions } from "../session/account.ts";
import { describe, expectSuccess, expectThat } from "../session/expect.ts";
import type { Run } from "../session/run.ts";
import { expectAccepted } from "./opening.ts";
import { Undecidable, Violation } from "../target/violation.ts";

/** A browser's address and id. */
export type Named = { readonly address: string; readonly id: string };

/** A BrowserRecord. Members may have any type, because a faulty server may send anything. */
export type BrowserRecord = Record<string, unknown>;

/** Tolerance for responses that are due at a certain time. */
const LATE_MS = 5000;

/** Format of a browser id: `br_` and 26 characters. */
export const ID_FORM = /^br_[a-z0-9]{26}$/;

/** Returns a well-formed id that no browser has. */
export function unusedId(): string {
  const letters = "abcdefghjkmnpqrstvwxyz0123456789";
  return `br_${Array.from({ length: 26 }, () => letters[randomInt(letters.length)]).join("")}`;
}

/**
 * Opens a browser for a rule that does not test Open.
 * @throws {Undecidable} If Open returned no id. Another rule checks that.
 */
export async function openNamed(
  run: Run,
  options: object = {},
  account: Account = run.main,
  sending?: SendOptions,
): Promise<Named> {
  return toNamed(run, await account.openBrowser({ ...run.lightest, ...options }, sending));
}

/** Opens a browser with valid options. @throws {Violation} If the server rejects the options. */
export async function openAccepted(run: Run, options: object): Promise<Named> {
  return toNamed(run, await expectAccepted(run, options));
}

function toNamed(run: Run, address: string): Named {
  const opening = run.exchanges.findLast(({ received }) => toObject(received.json)["address"] === address);
  const { id } = toObject(opening?.received.json);
  if (typeof id !== "string") throw new Undecidable("Open returned no id, which this rule needs.");
  return { address, id };
}

/** Makes an Open request idempotent. */
export const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Calls Info. @param browser `{ id }` or `{ address }`. */
export async function infoOf(account: Account, browser: object): Promise<BrowserRecord> {
  return expectSuccess(await account.call("getBrowserInfo", browser));
}

export async function update(account: Account, browser: object, values: object): Promise<BrowserRecord> {
  return expectSuccess(await account.call("updateBrowser", { ...browser, ...values }));
}

/** Waits until a browser has ended. @returns The close reason. */
export async function reasonOf(account: Account, id: string, seconds = LATE_MS / 1000): Promise<unknown> {
  const { state, reason } = expectSuccess(await account.call("waitForBrowser", { id, seconds }));
  expectThat(state === "closed", "the browser to end", `the state ${JSON.stringify(state)} after ${seconds} s`);
  return reason;
}

/** Reads one part of the history. */
export async function historyPart(
  account: Account,
  body: object,
): Promise<{ readonly browsers: readonly BrowserRecord[]; readonly next: unknown; readonly keptSince: unknown }> {
  const exchange = await account.call("getBrowserHistory", body);
  const { browsers, next, keptSince } = expectSuccess(exchange);
  expectThat(Array.isArray(browsers), "a list named browsers", describe(exchange.received));
  return { browsers: browsers.map(toObject), next, keptSince };
}

/** More parts than the history needs for any rule's browsers. */
const MAX_PARTS = 30;

/** Reads the ids in all parts of the history. @param between Called after each part except the last. */
export async function historyIds(
  account: Account,
  body: object,
  between: (part: number) => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: unknown;
  for (let part = 1; part <= MAX_PARTS; part += 1) {
    const { browsers, next } = await historyPart(account, cursor === undefined ? body : { ...body, cursor });
    ids.push(...browsers.map(({ id }) => String(id)));
    if (next === null) return ids;
    cursor = next;
    await between(part);
  }
  throw new Violation({ expected: "no next in the last part of the history", seen: `${MAX_PARTS} parts` });
}

/** Parses a date and time. @throws {Violation} If the value isn't in UTC with milliseconds. */
export function timeOf(what: string, value: unknown): number {
  const isRight = typeof value === "string" && RFC_3339_UTC_MS.test(value) && !Number.isNaN(Date.parse(value));
  expectThat(isRight, `${what} as RFC 3339 in UTC with milliseconds`, JSON.stringify(value) ?? "nothing");
  return Date.parse(value);
}

const RFC_3339_UTC_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|[+-]00:00)$/;

/** Returns the maximum lifetime in the account's plan, in seconds. Null if unlimited. */
export async function maxLifetimeOf(account: Account): Promise<number | null> {
  const { maxLifetime } = expectSuccess(await account.call("getAccount"));
  if (maxLifetime === null || typeof maxLifetime === "number") return maxLifetime;
  throw new Undecidable("Account/Get returned no maxLifetime, which this rule needs.");
}

/** Maximum age of the reported number of clients. */
const AGE_MS = 5000;
/** Tolerance for slow requests and for servers that start the period slightly late. */
const SLACK_MS = 3000;
const POLL_MS = 400;

/** Reads a browser's entry in Get's list. @throws {Undecidable} If the browser is not listed. */
export async function sessionOf(account: Account, address: string): Promise<BrowserRecord> {
  const { sessions } = expectSuccess(await account.get());
  const found = (Array.isArray(sessions) ? sessions : []).map(toObject).find((each) => each["address"] === address);
  if (found === undefined) throw new Undecidable("The browser is not listed, so its list entry can't be checked.");
  return found;
}

/** @throws {Violation} If closesOn isn't this many seconds after startedOn. */
export function expectClosesAfter({ startedOn, closesOn }: BrowserRecord, seconds: number): void {
  const after = timeOf("closesOn", closesOn) - timeOf("startedOn", startedOn);
  const isThen = Math.abs(after - seconds * 1000) <= SLACK_MS;
  expectThat(isThen, `closesOn to be ${seconds} s after startedOn`, `${after / 1000} s after startedOn`);
}

/** Waits until Get and Info show this number of clients. @returns Info's record. */
export async function untilClients(
  run: Run,
  { address, id }: Named,
  number: number,
  account: Account = run.main,
): Promise<BrowserRecord> {
  for (const deadline = Date.now() + AGE_MS + SLACK_MS; ; await run.sleep(POLL_MS)) {
    const [listed, info] = [await sessionOf(account, address), await infoOf(account, { id })];
    if (listed["clients"] === number && info["clients"] === number) return info;
    const seen = `${JSON.stringify(listed["clients"])} in Get and ${JSON.stringify(info["clients"])} in Info`;
    expectThat(Date.now() <= deadline, `clients to be ${number} within ${AGE_MS / 1000} s`, seen);
  }
}
