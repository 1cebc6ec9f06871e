import { setTimeout as wait } from "node:timers/promises";
import { newRandom } from "../faults/random.ts";
import type { SimulatedCluster } from "./cluster.ts";
import type { Act, History } from "./history.ts";
import type { LoadAccount } from "./load.ts";

/** When an account is disabled, enabled again, and when another one gets half of its limit, as shares of the run. */
const AT = { disable: 0.3, lower: 0.45, enable: 0.6 } as const;
/** The accounts, counted from 0: some with several browsers, but few of all. */
const [DISABLED, LOWERED] = [5, 3];

/** Does what operators do, while servers fail: a command that the database refuses is given again. */
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
    // Until it is committed, it may hold already.
    const entry: Act = { account: account.id, is, requestedMs: Date.now(), committedMs: Infinity };
    history.acts.push(entry);
    for (let tries = 5; tries > 0; tries -= 1) {
      const done = await cluster.cluster.account(...args, "--email", account.email).catch(() => undefined);
      if (done !== undefined) break;
      if (tries === 1) history.mistakes.push(`The command account ${args.join(" ")} failed five times.`);
    }
    entry.committedMs = Date.now();
  };
  const [disabled, lowered] = [accounts[DISABLED], accounts[LOWERED]];
  if (disabled === undefined || lowered?.limit === undefined) return;
  const limit = Math.ceil(lowered.limit / 2);
  await waitUntil(AT.disable);
  await act(disabled, "disabled", ["disable"]);
  await waitUntil(AT.lower);
  await act(lowered, { limit }, ["plan", "--plan", "self-hosted", "--parallel", String(limit)]);
  await waitUntil(AT.enable);
  await act(disabled, "enabled", ["enable"]);
}
