import { randomInt } from "node:crypto";
import type { Account } from "../session/account.ts";
import type { RunOptions } from "../session/run-options.ts";
import type { Run } from "../session/run.ts";
import { TooManyRequests } from "../target/target.ts";
import { Undecidable, Violation } from "../target/violation.ts";
import { MAX_LIMIT } from "./fill-to-limit.ts";
import { closeOwn, listForeign, sawForeignRecently } from "./foreign-browsers.ts";

/** Maximum total time that a run's scenarios wait for other runs. */
const MAX_WAIT_MS = 90_000;
const POLL_MS = 1000;
const TRIES = 3;

const remainingWaitMs = new WeakMap<RunOptions, number>();
/** Runs for which retries are pointless: they couldn't open a browser on the unused account. */
const withoutRetries = new WeakSet<RunOptions>();

/** Defaults for rules that use the `limited` account and open no browsers on the main account. */
export const LIMITED = { capability: "quota", needs: ["limited"], opens: MAX_LIMIT + 1, atOnce: 0 } as const;

/**
 * Runs a scenario on the account `limited`, which other runs of the suite may also use. Opens a first browser to
 * reserve the account, repeats a failed scenario (another run may have interfered), and closes this run's browsers on
 * the account.
 * @param scenario Receives the account and the address of the first browser.
 * @throws {Undecidable} If the account remains in use, or another run used it when the scenario failed.
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
      throw new Undecidable("Another client is opening browsers on this account, so the limit can't be tested.");
    } finally {
      await closeOwn(run, account);
    }
  }
}

/**
 * Distinguishes a rate limit from a full account, which has its own error.
 * @throws {Violation} If Open was rejected with 429, but succeeds once the account has no open browsers.
 */
async function expectRateLimit(run: Run, account: Account, { exchange }: TooManyRequests): Promise<void> {
  if (exchange.operation !== "openBrowser") return;
  await closeOwn(run, account);
  const options = { ...run.lightest, KeepOpen: run.keepOpenS, Label: run.newLabel() };
  const { received } = await account.open(options, { isPatient: false });
  if (received.status !== 200) return;
  const expected =
    "Open to succeed after Retry-After or return 404 BrowserLimit, because 429 is only for too many requests";
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
      // Another run needs about the same time to open its browser.
      if (isCareful) await run.sleep(POLL_MS + Date.now() - startedAt);
      // Runs that opened browsers at the same time can now see each other's browsers.
      if (first !== undefined && (await isUnused())) return first;
      if (first !== undefined) await account.close(first);
    }
    const leftMs = remainingWaitMs.get(run.options) ?? MAX_WAIT_MS;
    if (leftMs <= 0) throw new Undecidable("Another client is constantly using the same account.");
    const waitMs = POLL_MS / 2 + randomInt(POLL_MS);
    remainingWaitMs.set(run.options, leftMs - waitMs);
    await run.sleep(waitMs);
  }
}
