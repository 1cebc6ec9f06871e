import { randomInt } from "node:crypto";
import type { Account } from "../run/account.ts";
import type { RunOptions } from "../run/run-options.ts";
import type { Run } from "../run/run.ts";
import { TooManyRequests } from "../target/target.ts";
import { Undecidable, Violation } from "../registry/violation.ts";
import { MAX_LIMIT } from "./fill-to-limit.ts";
import { closeOwn, listForeign, sawForeignRecently } from "./foreign-browsers.ts";

/** How long all scenarios of a run wait for other runs in total. */
const MAX_WAIT_MS = 90_000;
const POLL_MS = 1000;
const TRIES = 3;

const remainingWaitMs = new WeakMap<RunOptions, number>();
/** Runs that could not open a browser on the unused account, so that retries are useless. */
const withoutRetries = new WeakSet<RunOptions>();

/** Defaults for rules on the account `limited`. They open no browsers on the main account. */
export const LIMITED = { capability: "quota", needs: ["limited"], opens: MAX_LIMIT + 1, atOnce: 0 } as const;

/**
 * Runs a scenario on the account `limited`, which other runs of the suite may also use. Reserves the account by opening
 * a first browser, repeats a scenario that fails, because another run may have interfered, and closes this run's
 * browsers on the account.
 * @param scenario Receives the account and the address of the first browser.
 * @throws {Undecidable} When the account stays in use, or another run used it when the scenario failed.
 */
export async function onLimited(run: Run, scenario: (account: Account, first: string) => Promise<void>): Promise<void> {
  const account = run.account("limited");
  let violation: Violation | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      const first = await reserveAccount(run, account, { isCareful: tries > 1 || sawForeignRecently(run) });
      return await scenario(account, first);
    } catch (error) {
      if (error instanceof TooManyRequests) await expectRateLimit(run, account, error);
      if (error instanceof Violation) violation = error;
      else if (!(error instanceof Undecidable)) throw error;
      await listForeign(run, account);
      if (tries < TRIES) continue;
      if (violation === undefined || !sawForeignRecently(run)) throw violation ?? error;
      throw new Undecidable("Another client opens browsers on the same account, so its limit can't be tested.");
    } finally {
      await closeOwn(run, account);
    }
  }
}

/**
 * Distinguishes a rate limit from a full account, which has its own error.
 * @throws {Violation} When Open was refused with 429, but succeeds as soon as the account has no browsers.
 */
async function expectRateLimit(run: Run, account: Account, { exchange }: TooManyRequests): Promise<void> {
  if (exchange.operation !== "openBrowser") return;
  await closeOwn(run, account);
  const options = { ...run.lightest, KeepOpen: run.keepOpenS, Label: run.newLabel() };
  const { received } = await account.open(options, { isPatient: false });
  if (received.status !== 200) return;
  const expected = "429 only for too many requests: Open to succeed after Retry-After, or 404 BrowserLimit";
  throw new Violation({ expected, seen: "429 until a browser was closed" }, [exchange]);
}

/** @param isCareful Whether another run may be opening a browser that is not listed yet. */
async function reserveAccount(
  run: Run,
  account: Account,
  { isCareful }: { readonly isCareful: boolean },
): Promise<string> {
  const isUnused = async (): Promise<boolean> => (await listForeign(run, account)).length === 0;
  for (let tries = withoutRetries.has(run.options) ? TRIES : 1; ;) {
    if (await isUnused()) {
      const startedAt = Date.now();
      const first = await account.openBrowser().catch((error: unknown) => {
        const isPermanent = tries >= TRIES && !sawForeignRecently(run);
        if (isPermanent) withoutRetries.add(run.options);
        if (isPermanent || !(error instanceof Undecidable)) throw error;
        tries += 1;
      });
      // Another run needs about as long to open its browser.
      if (isCareful) await run.sleep(POLL_MS + Date.now() - startedAt);
      // Two runs that opened browsers at the same time see each other now.
      if (first !== undefined && (await isUnused())) return first;
      if (first !== undefined) await account.close(first);
    }
    const leftMs = remainingWaitMs.get(run.options) ?? MAX_WAIT_MS;
    if (leftMs <= 0) throw new Undecidable("Another client uses the same account all the time.");
    const waitMs = POLL_MS / 2 + randomInt(POLL_MS);
    remainingWaitMs.set(run.options, leftMs - waitMs);
    await run.sleep(waitMs);
  }
}
