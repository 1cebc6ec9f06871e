import type { Account, ListedBrowser } from "../session/account.ts";
import { toObject } from "../target/json.ts";
import type { RunOptions } from "../session/run-options.ts";
import type { Run } from "../session/run.ts";

const RECENTLY_MS = 60_000;

const seenAt = new WeakMap<RunOptions, number>();

/** Lists browsers that this run did not open. Another run of the suite may use the same account. */
export async function listForeign(run: Run, account: Account): Promise<readonly ListedBrowser[]> {
  const foreign = (await account.listBrowsers()).filter((each) => !isOwn(run, each));
  if (foreign.length > 0) seenAt.set(run.options, Date.now());
  return foreign;
}

/**
 * Whether this run recently saw browsers that it did not open. Such browsers come and go, so one check is not enough.
 */
export function sawForeignRecently({ options }: Run): boolean {
  return Date.now() - (seenAt.get(options) ?? 0) < RECENTLY_MS;
}

/** Lists browsers that this run opened, including browsers whose Open request received no response. */
export async function listOwn(run: Run, account: Account): Promise<readonly ListedBrowser[]> {
  return (await account.listBrowsers()).filter((each) => isOwn(run, each));
}

export async function closeOwn(run: Run, account: Account): Promise<void> {
  const own = await listOwn(run, account);
  await Promise.all(own.map(({ address }) => account.close(address)));
}

function isOwn({ prefix, exchanges }: Run, { address, label }: ListedBrowser): boolean {
  if (typeof label === "string" && label.startsWith(prefix)) return true;
  const opens = exchanges.filter(({ operation }) => operation === "openBrowser");
  return opens.some(({ received }) => toObject(received.json)["address"] === address);
}
