import { setTimeout as wait } from "node:timers/promises";
import { newRandom } from "../faults/random.ts";
import { send } from "../support/servers/call.ts";
import type { SimulatedCluster } from "./cluster.ts";
import type { Act, History } from "./history.ts";
import type { LoadAccount } from "./load.ts";

/**
 * When operators disable an account, halve another account's limit, enable the first account, and replace a third
 * account's token, as fractions of the run.
 */
const AT = { disable: 0.3, lower: 0.45, enable: 0.6, revoke: 0.7 } as const;
/**
 * Indexes of the accounts that operators change. Each account has several browsers, but only a small share of all
 * browsers.
 */
const [DISABLED, LOWERED, REVOKED] = [5, 3, 4];
/**
 * Number of times that operators try a command, and the delay between tries, in ms. The database may be unavailable for
 * several seconds.
 */
const [TRIES, PAUSE_MS] = [30, 500];
/** Time within which a revoked token must be refused, in ms. */
const REVOKED_MS = 1000;

/** Runs operators' commands while servers are failing. Repeats commands that the database refuses. */
export async function actAll(
  cluster: SimulatedCluster,
  accounts: readonly LoadAccount[],
  history: History,
  { seconds, seed }: { readonly seconds: number; readonly seed: number },
): Promise<void> {
  const random = newRandom(seed);
  const startedMs = performance.now();
  const waitUntil = async (share: number): Promise<void> => {
    const atMs = (share + random.between(0, 0.1)) * seconds * 1000;
    await wait(Math.max(0, startedMs + atMs - performance.now()));
  };
  const act = async (account: LoadAccount, is: Act["is"], args: readonly string[]): Promise<void> => {
    // The change may already apply before the command returns.
    const entry: Act = { account: account.id, is, requestedMs: Date.now(), committedMs: Infinity };
    history.acts.push(entry);
    const done = await command(cluster, ...args, "--email", account.email);
    if (done === undefined) history.mistakes.push(`The command account ${args.join(" ")} failed ${TRIES} times.`);
    entry.committedMs = Date.now();
  };
  const [disabled, lowered, revoked] = [accounts[DISABLED], accounts[LOWERED], accounts[REVOKED]];
  if (disabled === undefined || revoked === undefined || lowered?.limit === undefined) return;
  const limit = Math.ceil(lowered.limit / 2);
  await waitUntil(AT.disable);
  await act(disabled, "disabled", ["disable"]);
  await waitUntil(AT.lower);
  await act(lowered, { limit }, ["plan", "--plan", "self-hosted", "--parallel", String(limit)]);
  await waitUntil(AT.enable);
  await act(disabled, "enabled", ["enable"]);
  await waitUntil(AT.revoke);
  await revoke(cluster, revoked, history);
}

/** Retries a command until it succeeds. @returns The command's output, or undefined if the command never succeeds. */
async function command(
  { cluster }: SimulatedCluster,
  ...args: readonly string[]
): Promise<Record<string, unknown> | undefined> {
  for (let tries = TRIES; tries > 0; tries -= 1) {
    const answer = await cluster.account(...args).catch(() => undefined);
    if (answer !== undefined) return answer;
    await wait(PAUSE_MS);
  }
  return undefined;
}

/** Replaces an account's token, and tries the old token on all front-ends. */
async function revoke(cluster: SimulatedCluster, account: LoadAccount, history: History): Promise<void> {
  const { token: old, email } = account;
  const given = await command(cluster, "token", "--email", email);
  if (given === undefined) return void history.mistakes.push(`The token of ${email} could not be revoked.`);
  account.token = String(given["token"]);
  await wait(REVOKED_MS);
  for (const { url, name } of cluster.fronts) {
    const path = new URL("/api/v1/Browser/Get", url);
    const signal = AbortSignal.timeout(REVOKED_MS);
    // A front-end that doesn't respond hasn't accepted the token.
    const answer = await send(path, "GET", { Authorization: `Bearer ${old}` }, "", signal).catch(() => undefined);
    if (answer !== undefined) history.revoked.push({ front: name, status: answer.status });
  }
}
