import { connectDevtools, type Devtools } from "../target/devtools.ts";
import { NoAnswer } from "../target/no-answer.ts";
import { expectSuccess, expectThat } from "./expect.ts";
import { toObject } from "../target/json.ts";
import type { Run } from "./run.ts";
import { Undecidable } from "../registry/violation.ts";

/** An end may be seen so much later than it is due: servers look now and then, and networks take their time. */
const LATE_MS = 5000;
/** So long before an end is due it is looked whether it came too early; seldom, for requests may be rationed. */
const LOOK_AHEAD_MS = [900, 600, 300];
const POLL_MS = 500;

/** When a period began, as far as that can be told from outside: no earlier than `from`, no later than `to`. */
export type PeriodStart = { readonly from: number; readonly to: number };

/** A browser whose period began with its Open. */
export type IdleBrowser = PeriodStart & { readonly address: string; readonly keepOpenMs: number };

/** @param keepOpenS What the browser is expected to do; `options` say what is really sent, if that differs. */
export async function openIdle(run: Run, keepOpenS: number, options: object = {}): Promise<IdleBrowser> {
  const address = await run.main.openBrowser({ Headless: true, KeepOpen: keepOpenS, ...options });
  const opening = run.exchanges.findLast(({ received }) => toObject(received.json)["address"] === address);
  const { startedAt: from = 0, endedAt: to = Date.now() } = opening ?? {};
  return { address, keepOpenMs: keepOpenS * 1000, from, to };
}

/** @throws {Undecidable} When it took so long to get here that the browser may have closed. */
export async function connectWhileOpen({ address, keepOpenMs, from }: IdleBrowser): Promise<Devtools> {
  try {
    return await connectDevtools(address);
  } catch (error) {
    if (!(error instanceof NoAnswer) || Date.now() < from + keepOpenMs) throw error;
    const seconds = keepOpenMs / 1000;
    throw new Undecidable(`The answers are too slow to connect to a browser within its period of ${seconds} s.`, {
      cause: error,
    });
  }
}

/** Disconnects a client or a viewer. @returns When its browser's period began, if it was the last one. */
export async function disconnect(client: AsyncDisposable): Promise<PeriodStart> {
  const from = Date.now();
  await client[Symbol.asyncDispose]();
  return { from, to: Date.now() };
}

/** @throws {Violation} When the browser is gone before its period can have elapsed. */
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
    // From here on it may rightly be gone.
    if (now >= end) break;
    expectThat(isOpen, expected, `that it is not listed any more after ${toSeconds(now - from)}`);
  }
  if (!isSeen) throw new Undecidable("The answers are too slow to tell whether the browser closed too early.");
}

/** @throws {Violation} When the browser is still listed some seconds after its period has elapsed. */
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
    expectThat(askedAt <= due + LATE_MS, expected, `that it is still listed after ${toSeconds(askedAt - to)}`);
    await run.sleep(POLL_MS);
  }
}

/** @throws {Violation} When the browser is not listed now. @param why Completes "the browser to stay open …". */
export async function expectOpenNow(run: Run, { address }: IdleBrowser, why: string): Promise<void> {
  expectThat(await isListed(run, address), `the browser to stay open ${why}`, "that it is not listed any more");
}

/** Asking this does not keep the browser open: only connections do. */
async function isListed({ main }: Run, address: string): Promise<boolean> {
  const { sessions } = expectSuccess(await main.get());
  return Array.isArray(sessions) && sessions.some((each) => toObject(each)["address"] === address);
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
