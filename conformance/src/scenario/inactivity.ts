import { connectDevtools, type Devtools } from "../target/devtools.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { expectSuccess, expectThat } from "../session/expect.ts";
import { toObject } from "../target/json.ts";
import type { Run } from "../session/run.ts";
import { Undecidable } from "../target/violation.ts";

/** Tolerance for detecting that a browser has closed: servers check periodically, and networks add delays. */
const LATE_MS = 5000;
/** How long before its period ends to check that a browser is still open, in ms. Fewer checks save requests. */
const LOOK_AHEAD_MS = [900, 600, 300];
const POLL_MS = 500;

/** The time range in which a period began. A client can't know the exact time. */
export type PeriodStart = { readonly from: number; readonly to: number };

/** A browser whose inactivity period began when the browser was opened. */
export type IdleBrowser = PeriodStart & { readonly address: string; readonly keepOpenMs: number };

/** Opens a browser without clients. @param keepOpenS Expected inactivity period. `options` may override KeepOpen. */
export async function openIdle(run: Run, keepOpenS: number, options: object = {}): Promise<IdleBrowser> {
  const address = await run.main.openBrowser({ Headless: true, KeepOpen: keepOpenS, ...options });
  const opening = run.exchanges.findLast(({ received }) => toObject(received.json)["address"] === address);
  const { startedAt: from = 0, endedAt: to = Date.now() } = opening ?? {};
  return { address, keepOpenMs: keepOpenS * 1000, from, to };
}

/** @throws {Undecidable} If connecting took so long that the browser may have closed. */
export async function connectWhileOpen({ address, keepOpenMs, from }: IdleBrowser): Promise<Devtools> {
  try {
    return await connectDevtools(address);
  } catch (error) {
    if (!(error instanceof NoAnswer) || Date.now() < from + keepOpenMs) throw error;
    const seconds = keepOpenMs / 1000;
    throw new Undecidable(`The deployment is too slow to connect within a browser's ${seconds} s inactivity period.`, {
      cause: error,
    });
  }
}

/** Disconnects a client or a viewer. @returns The start of the inactivity period, if this was the last connection. */
export async function disconnect(client: AsyncDisposable): Promise<PeriodStart> {
  const from = Date.now();
  await client[Symbol.asyncDispose]();
  return { from, to: Date.now() };
}

/** @throws {Violation} If the browser closes before its inactivity period ends. */
export async function expectOpenFor(
  run: Run,
  { address, keepOpenMs }: IdleBrowser,
  { from }: PeriodStart,
  expected: string,
): Promise<void> {
  const end = from + keepOpenMs;
  let isSeen = false;
  for (const aheadMs of [keepOpenMs / 2, ...LOOK_AHEAD_MS]) {
    await run.sleep(Math.max(0, end - aheadMs - Date.now()));
    const isOpen = await isListed(run, address);
    const now = Date.now();
    isSeen ||= isOpen;
    // The period may have ended by now.
    if (now >= end) break;
    expectThat(isOpen, expected, `a browser that is no longer listed after ${toSeconds(now - from)}`);
  }
  if (!isSeen) throw new Undecidable("The deployment is too slow to determine whether the browser closed too early.");
}

/** @throws {Violation} If the browser is still listed several seconds after its period ended. */
export async function expectGoneAfter(
  run: Run,
  { address, keepOpenMs }: IdleBrowser,
  { to }: PeriodStart,
  expected: string,
): Promise<void> {
  const due = to + keepOpenMs;
  await run.sleep(Math.max(0, due - Date.now()));
  for (;;) {
    const askedAt = Date.now();
    if (!(await isListed(run, address))) return;
    expectThat(askedAt <= due + LATE_MS, expected, `a browser that is still listed after ${toSeconds(askedAt - to)}`);
    await run.sleep(POLL_MS);
  }
}

/** @throws {Violation} If the browser is not listed. @param why The words after "the browser to remain open". */
export async function expectOpenNow(run: Run, { address }: IdleBrowser, why: string): Promise<void> {
  expectThat(await isListed(run, address), `the browser to remain open ${why}`, "a list without the browser");
}

/** Whether the browser is listed. Listing does not restart the inactivity period. */
async function isListed({ main }: Run, address: string): Promise<boolean> {
  const { sessions } = expectSuccess(await main.get());
  return Array.isArray(sessions) && sessions.some((each) => toObject(each)["address"] === address);
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
