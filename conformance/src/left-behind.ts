import type { Account, Listed } from "./run/account.ts";
import { type Lists, holdersOf } from "./run/lists.ts";
import type { RunOptions } from "./run/run-options.ts";
import { Session } from "./run/session.ts";
import { Undecidable } from "./registry/violation.ts";
import { NoAnswer } from "./target/no-answer.ts";

/**
 * Looks at the lists once more: what is still open of this run's browsers is closed.
 * @param before The lists before the run.
 * @returns How they differ, in words.
 */
export async function compareLists(options: RunOptions, before: Lists): Promise<string[]> {
  const session = new Session(options);
  const differences: string[] = [];
  for (const { option, account } of holdersOf(session)) {
    // The one that everybody means need not be named.
    const where = option === "--token" ? "" : ` on the account of ${option}`;
    try {
      differences.push(...(await compare(account, options.labelPrefix, before.get(option) ?? [], where)));
    } catch (error) {
      if (!(error instanceof NoAnswer || error instanceof Undecidable)) throw error;
      differences.push(`The list${where} could not be read at the end: ${session.redact(error.message)}`);
    }
  }
  return differences;
}

async function compare(
  account: Account,
  prefix: string,
  before: readonly Listed[],
  where: string,
): Promise<readonly string[]> {
  const after = await account.listed();
  const known = new Set(before.map(({ address }) => address));
  const isOurs = ({ address, label }: Listed): boolean =>
    typeof label === "string" && label.startsWith(`${prefix}-`) && !known.has(address);
  const ours = after.filter(isOurs);
  for (const { address } of ours) await account.close(address);
  const now = new Set(after.map(({ address }) => address));
  const gone = before.filter(({ address }) => !now.has(address)).length;
  return [
    ...(ours.length > 0 ? [`${count(ours.length)} still listed${where} that this run had opened: told to close.`] : []),
    ...(gone > 0
      ? [`${count(gone)} listed${where} before the run and not after it; the run closes only what it opened itself.`]
      : []),
  ];
}

/** As the beginning of a sentence. */
function count(browsers: number): string {
  return browsers === 1 ? "One browser was" : `${browsers} browsers were`;
}
