import { randomUUID } from "node:crypto";
import { includes } from "../contract/versions.ts";
import type { Account } from "../session/account.ts";
import { describe, toErrorBody } from "../session/expect.ts";
import { toObject } from "../target/json.ts";
import type { RunOptions } from "../session/run-options.ts";
import type { Run } from "../session/run.ts";
import { NotApplicable, Undecidable } from "../target/violation.ts";
import { connectDevtools, type Outcome } from "../target/devtools.ts";
import type { Exchange } from "../target/exchange.ts";
import { open } from "./fill-to-limit.ts";
import { listForeign } from "./foreign-browsers.ts";
import { IDEMPOTENCY_KEY } from "./records.ts";

const MAX_OPENS = 6;
/** Number of Opens sent concurrently at the end, in addition to the Open that exceeds the units. */
const LAST = 2;
const OTHERS_MS = 10_000;
const POLL_MS = 500;

/** The result of using up the units of `few-units`. */
type SpentUnits = {
  readonly opened: number;
  /** Time from the first Open request to the last response. */
  readonly tookMs: number;
  /** Rejected Opens, except the invalid Open. */
  readonly refusals: readonly Exchange[];
  /** Whether the first browser is still listed after the units were used up. */
  readonly isFirstListed: boolean;
  /** The first browser's response to Browser.getVersion after the units ran out; undefined if none. */
  readonly version: Outcome | undefined;
  /** The first Open and its later repetitions, with the same options and with different options. */
  readonly keyed: { readonly first: Exchange; readonly repeated: Exchange; readonly reused: Exchange } | undefined;
};

const results = new WeakMap<
  RunOptions,
  { readonly spent: Promise<SpentUnits>; readonly exchanges: readonly Exchange[] }
>();

/**
 * Opens browsers on the account `few-units` until an Open request is rejected. Units can be spent only once, so all
 * rules share the result.
 * @throws {NotApplicable} If the account has no units, or another client uses the account.
 */
export function spendUnits(run: Run): Promise<SpentUnits> {
  const before = results.get(run.options);
  if (before !== undefined) {
    run.exchanges.push(...before.exchanges);
    return before.spent;
  }
  const spent = spend(run, run.account("few-units"));
  results.set(run.options, { spent, exchanges: run.exchanges });
  return spent;
}

async function spend(run: Run, account: Account): Promise<SpentUnits> {
  await expectNoForeign(run, account);
  const { options } = run;
  const key = includes(options.contract, "1.1") ? { headers: { [IDEMPOTENCY_KEY]: randomUUID() } } : undefined;
  const Label = run.newLabel();
  const first = await open(run, account, { Label }, key);
  if (toErrorBody(first.received.json).name === "NoUnits") {
    throw new NotApplicable("The few-units account has no units left.");
  }
  const address = toObject(first.received.json)["address"];
  if (first.received.status !== 200 || typeof address !== "string") {
    throw new Undecidable(`Open returned ${describe(first.received)}, so the units can't be used up.`);
  }
  await using devtools = await connectDevtools(address);
  await expectNoForeign(run, account);
  // An invalid Open must not cost a unit.
  await open(run, account, { KeepOpen: true });
  const others = await openOthers(run, account, options.unitsLeft);
  const tookMs = Math.max(...[first, ...others].map(({ endedAt }) => endedAt)) - first.startedAt;
  await expectNoForeign(run, account);
  const isFirstListed = (await account.find(address)) !== undefined;
  const version = await devtools.command("Browser.getVersion").catch(() => undefined);
  const refusals = others.filter(({ received }) => received.status !== 200);
  const keyed = key && {
    first,
    repeated: await open(run, account, { Label }, key),
    reused: await open(run, account, {}, key),
  };
  return { opened: 1 + others.length - refusals.length, tookMs, refusals, isFirstListed, version, keyed };
}

/** @param unitsLeft Units before the first Open. Undefined if unknown. */
async function openOthers(run: Run, account: Account, unitsLeft: number | undefined): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  const last = unitsLeft === undefined ? 0 : Math.min(LAST, unitsLeft - 1) + 1;
  const inTurn = unitsLeft === undefined ? MAX_OPENS - 1 : Math.min(unitsLeft, MAX_OPENS - 1) - last;
  for (let at = 0; at < inTurn && answers.every(({ received }) => received.status === 200); at += 1) {
    const answer = await open(run, account);
    answers.push(answer);
    // Closing a browser does not refund its unit.
    const { address } = toObject(answer.received.json);
    if (typeof address === "string") await account.close(address);
  }
  return [...answers, ...(await Promise.all(Array.from({ length: last }, () => open(run, account))))];
}

/**
 * Before throwing, waits for other runs to finish, so that they also notice this run's browser.
 * @throws {NotApplicable} If the account has browsers that this run did not open.
 */
async function expectNoForeign(run: Run, account: Account): Promise<void> {
  if ((await listForeign(run, account)).length === 0) return;
  for (const deadline = Date.now() + OTHERS_MS; Date.now() < deadline; await run.sleep(POLL_MS)) {
    if ((await listForeign(run, account)).length === 0) break;
  }
  throw new NotApplicable("Another client is using the few-units account, so the account's units can't be counted.");
}
