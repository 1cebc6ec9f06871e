import { randomInt } from "node:crypto";
import type { Account } from "../run/account.ts";
import type { RunOptions } from "../run/run-options.ts";
import type { Run } from "../run/run.ts";
import { TooManyRequests } from "../target/target.ts";
import { Undecidable, Violation } from "../registry/violation.ts";
import { closeOwn, listForeign, sawForeignRecently } from "./foreign-browsers.ts";

/** All scenarios of one run together wait no longer than that for others to leave. */
const QUIET_MS = 90_000;
const POLL_MS = 1000;
const TRIES = 3;

const patienceMs = new WeakMap<RunOptions, number>();
/** Runs for which nothing can be opened there though nobody else is: for them, trying again is no use. */
const hopeless = new WeakSet<RunOptions>();

/**
 * Plays a scenario on an account with few places, which another run of the suite may be using as well. It waits for its turn,
 * which a first browser of its own tells the others, and plays again when the scenario fails: somebody may have come meanwhile.
 * All browsers of this run on the account are closed afterwards.
 * @param scenario Gets the address of that first browser.
 * @throws {Undecidable} When the account is never free, or somebody was there too when the scenario failed.
 */
export async function withExclusiveAccount(
  run: Run,
  account: Account,
  scenario: (first: string) => Promise<void>,
): Promise<void> {
  let violation: Violation | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      return await scenario(await takeTurn(run, account, { isCareful: tries > 1 || sawForeignRecently(run) }));
    } catch (error) {
      if (error instanceof TooManyRequests) await expectRateCounts(run, account, error);
      if (error instanceof Violation) violation = error;
      else if (!(error instanceof Undecidable)) throw error;
      await listForeign(run, account);
      if (tries < TRIES) continue;
      if (violation === undefined || !sawForeignRecently(run)) throw violation ?? error;
      throw new Undecidable("Somebody else opens browsers on the same account, so its limit can't be told.");
    } finally {
      await closeOwn(run, account);
    }
  }
}

/**
 * Tells an account that asks too often from one that has all its places taken, which has an error of its own.
 * @throws {Violation} When Open was refused for its rate, and is taken as soon as places are free.
 */
async function expectRateCounts(run: Run, account: Account, { exchange }: TooManyRequests): Promise<void> {
  if (exchange.operation !== "openBrowser") return;
  await closeOwn(run, account);
  const options = { ...run.lightest, KeepOpen: run.keepOpenS, Label: run.newLabel() };
  const { received } = await account.open(options, { isPatient: false });
  if (received.status !== 200) return;
  const expected = "429 only for too many requests: Open to be taken after Retry-After, or 404 BrowserLimit";
  throw new Violation({ expected, seen: "429 until a browser was closed" }, [exchange]);
}

/** @param isCareful Whether others may be about to open one, which is not listed yet. */
async function takeTurn(run: Run, account: Account, { isCareful }: { readonly isCareful: boolean }): Promise<string> {
  const isAlone = async (): Promise<boolean> => (await listForeign(run, account)).length === 0;
  for (let tries = hopeless.has(run.options) ? TRIES : 1; ;) {
    if (await isAlone()) {
      const startedAt = Date.now();
      const first = await account.openBrowser().catch((error: unknown) => {
        const isHopeless = tries >= TRIES && !sawForeignRecently(run);
        if (isHopeless) hopeless.add(run.options);
        if (isHopeless || !(error instanceof Undecidable)) throw error;
        tries += 1;
      });
      // What takes them as long as it took this run will have ended then.
      if (isCareful) await run.sleep(POLL_MS + Date.now() - startedAt);
      // Two who come at the same moment see each other now, if not before.
      if (first !== undefined && (await isAlone())) return first;
      if (first !== undefined) await account.close(first);
    }
    const leftMs = patienceMs.get(run.options) ?? QUIET_MS;
    if (leftMs <= 0) throw new Undecidable("Somebody else has browsers open on the same account all the time.");
    const waitMs = POLL_MS / 2 + randomInt(POLL_MS);
    patienceMs.set(run.options, leftMs - waitMs);
    await run.sleep(waitMs);
  }
}
