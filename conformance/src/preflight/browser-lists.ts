import { Undecidable } from "../target/violation.ts";
import type { SpecialAccount } from "../contract/vocabulary.ts";
import { Account, type ListedBrowser } from "../session/account.ts";
import type { RunOptions } from "../session/run-options.ts";
import { Session } from "../session/session.ts";
import { NoAnswer } from "../target/no-answer.ts";

/** The option that specifies the token, such as `--token` or `--token-limited`. */
type TokenOption = "--token" | `--token-${SpecialAccount}`;

/** Each account's browsers, keyed by the option for the account's token. Omits accounts with unreadable lists. */
export type Lists = ReadonlyMap<TokenOption, readonly ListedBrowser[]>;

/** Returns every account that the run has a token for, starting with the main account. */
export function accountsOf(session: Session): { readonly option: TokenOption; readonly account: Account }[] {
  const { token, tokens } = session.options;
  const special = Object.entries(tokens) as [SpecialAccount, string][];
  const all = [["--token", token] as const, ...special.map(([name, each]) => [`--token-${name}`, each] as const)];
  return all.map(([option, each]) => ({ option, account: new Account(session, session.newTarget(), each) }));
}

/** Lists the browsers of all accounts. @throws {NoAnswer} When the server can't be reached. */
export async function listIfPossible(session: Session): Promise<Lists> {
  const lists = new Map<TokenOption, readonly ListedBrowser[]>();
  for (const { option, account } of accountsOf(session)) {
    const listed = await account.listBrowsers().catch((error: unknown) => {
      // Ignore a response that isn't a list: the rules detect this.
      if (!(error instanceof Undecidable)) throw error;
    });
    if (listed !== undefined) lists.set(option, listed);
  }
  return lists;
}

/**
 * Lists the browsers again after the run, and closes browsers that the run left open.
 * @param before The lists from before the run.
 * @returns The differences, as sentences.
 */
export async function compareLists(options: RunOptions, before: Lists): Promise<string[]> {
  const session = new Session(options);
  const differences: string[] = [];
  for (const { option, account } of accountsOf(session)) {
    // The main account is the default, so its option isn't named.
    const where = option === "--token" ? "" : ` on the ${option} account`;
    try {
      differences.push(...(await compare(account, options.labelPrefix, before.get(option) ?? [], where)));
    } catch (error) {
      if (!(error instanceof NoAnswer || error instanceof Undecidable)) throw error;
      differences.push(`The list${where} could not be read after the run: ${session.redact(error.message)}`);
    }
  }
  return differences;
}

async function compare(
  account: Account,
  prefix: string,
  before: readonly ListedBrowser[],
  where: string,
): Promise<readonly string[]> {
  const after = await account.listBrowsers();
  const known = new Set(before.map(({ address }) => address));
  const isOurs = ({ address, label }: ListedBrowser): boolean =>
    typeof label === "string" && label.startsWith(`${prefix}-`) && !known.has(address);
  const ours = after.filter(isOurs);
  for (const { address } of ours) await account.close(address);
  const now = new Set(after.map(({ address }) => address));
  const gone = before.filter(({ address }) => !now.has(address)).length;
  return [
    ...(ours.length > 0
      ? [`${count(ours.length)} opened by this run and still listed${where}. The run closed them.`]
      : []),
    ...(gone > 0
      ? [`${count(gone)} listed${where} before the run but not after it. The run only closes browsers that it opened.`]
      : []),
  ];
}

/** Returns the subject and verb for the beginning of a sentence. */
function count(browsers: number): string {
  return browsers === 1 ? "One browser was" : `${browsers} browsers were`;
}
