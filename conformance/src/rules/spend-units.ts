import type { Account } from "../run/account.ts";
import { describe, toErrorBody } from "../run/expect.ts";
import { toObject } from "../target/json.ts";
import type { RunOptions } from "../run/run-options.ts";
import type { Run } from "../run/run.ts";
import { NotApplicable, Undecidable } from "../registry/violation.ts";
import { connectDevtools, type Outcome } from "../target/devtools.ts";
import type { Exchange } from "../target/exchange.ts";
import { open } from "./fill-to-limit.ts";
import { listForeign } from "./foreign-browsers.ts";

const MAX_OPENS = 6;
/** So many of the last ones are sent at the same time when it is known which are the last, and one that is too many. */
const LAST = 2;
const OTHERS_MS = 10_000;
const POLL_MS = 500;

/** What came of using up the units of `few-units`. */
export type SpentUnits = {
  readonly opened: number;
  /** From the first Open, until the last one was answered. */
  readonly tookMs: number;
  /** Opens that were refused, but for those that had to be. */
  readonly refusals: readonly Exchange[];
  /** Of the browser that was opened first, once units had ended. */
  readonly isFirstListed: boolean;
  /** What it then said when asked for its version; undefined when it did not. */
  readonly version: Outcome | undefined;
};

const spendings = new WeakMap<
  RunOptions,
  { readonly spending: Promise<SpentUnits>; readonly exchanges: readonly Exchange[] }
>();

/**
 * Opens on the account `few-units` until that is refused. Since it can be done only once, all rules that ask get the same.
 * @throws {NotApplicable} When there are no units, or somebody else spends them too.
 */
export function spendUnits(run: Run): Promise<SpentUnits> {
  const before = spendings.get(run.options);
  if (before !== undefined) {
    run.exchanges.push(...before.exchanges);
    return before.spending;
  }
  const spending = spend(run, run.account("few-units"));
  spendings.set(run.options, { spending, exchanges: run.exchanges });
  return spending;
}

async function spend(run: Run, account: Account): Promise<SpentUnits> {
  await expectNobody(run, account);
  const first = await open(run, account);
  if (toErrorBody(first.received.json).name === "NoUnits") {
    throw new NotApplicable("The account few-units has no units left.");
  }
  const address = toObject(first.received.json)["address"];
  if (first.received.status !== 200 || typeof address !== "string") {
    throw new Undecidable(`Open answered ${describe(first.received)}, so there is nothing to spend units on.`);
  }
  await using devtools = await connectDevtools(address);
  await expectNobody(run, account);
  // Costs nothing, or there are too few for the rest.
  await open(run, account, { KeepOpen: true });
  const others = await openOthers(run, account, run.options.unitsLeft);
  const tookMs = Math.max(...[first, ...others].map(({ endedAt }) => endedAt)) - first.startedAt;
  await expectNobody(run, account);
  const isFirstListed = (await account.find(address)) !== undefined;
  const version = await devtools.command("Browser.getVersion").catch(() => undefined);
  const refusals = others.filter(({ received }) => received.status !== 200);
  return { opened: 1 + others.length - refusals.length, tookMs, refusals, isFirstListed, version };
}

/** @param unitsLeft As they were before the first Open; undefined when nobody knows. */
async function openOthers(run: Run, account: Account, unitsLeft: number | undefined): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  const last = unitsLeft === undefined ? 0 : Math.min(LAST, unitsLeft - 1) + 1;
  const inTurn = unitsLeft === undefined ? MAX_OPENS - 1 : Math.min(unitsLeft, MAX_OPENS - 1) - last;
  for (let at = 0; at < inTurn && answers.every(({ received }) => received.status === 200); at += 1) {
    const answer = await open(run, account);
    answers.push(answer);
    // What a closed browser has cost does not come back.
    const { address } = toObject(answer.received.json);
    if (typeof address === "string") await account.close(address);
  }
  return [...answers, ...(await Promise.all(Array.from({ length: last }, () => open(run, account))))];
}

/**
 * Others who come at the same moment are to see this run's browser, too: so it goes on only once they have left.
 * @throws {NotApplicable} When there is somebody.
 */
async function expectNobody(run: Run, account: Account): Promise<void> {
  if ((await listForeign(run, account)).length === 0) return;
  for (const deadline = Date.now() + OTHERS_MS; Date.now() < deadline; await run.sleep(POLL_MS)) {
    if ((await listForeign(run, account)).length === 0) break;
  }
  throw new NotApplicable("Somebody else uses the account few-units at the same time, so what is left can't be told.");
}
