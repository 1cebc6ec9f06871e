import type { SpecialAccount } from "../registry/vocabulary.ts";
import { Account, type Listed } from "./account.ts";
import type { Session } from "./session.ts";
import { Undecidable } from "../registry/violation.ts";

/** The option that gives the token: `--token`, `--token-limited`. */
export type TokenOption = "--token" | `--token-${SpecialAccount}`;

/** What accounts list, each by the option that gives its token; those are missing that gave no list. */
export type Lists = ReadonlyMap<TokenOption, readonly Listed[]>;

/** Every account that the run has a token of, the main one first. */
export function holdersOf(session: Session): { readonly option: TokenOption; readonly account: Account }[] {
  const { token, tokens } = session.options;
  const special = Object.entries(tokens) as [SpecialAccount, string][];
  const all = [["--token", token] as const, ...special.map(([name, each]) => [`--token-${name}`, each] as const)];
  return all.map(([option, each]) => ({ option, account: new Account(session, session.newTarget(), each) }));
}

/** @throws {NoAnswer} When the server is not reached. */
export async function listIfPossible(session: Session): Promise<Lists> {
  const lists = new Map<TokenOption, readonly Listed[]>();
  for (const { option, account } of holdersOf(session)) {
    const listed = await account.listed().catch((error: unknown) => {
      // The rules tell what is wrong with an answer that is no list.
      if (!(error instanceof Undecidable)) throw error;
    });
    if (listed !== undefined) lists.set(option, listed);
  }
  return lists;
}
