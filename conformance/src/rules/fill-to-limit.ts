import type { Account } from "../run/account.ts";
import { describe, expectSuccess, expectThat, toErrorBody } from "../run/expect.ts";
import type { Run } from "../run/run.ts";
import { Undecidable } from "../registry/violation.ts";
import type { Exchange } from "../target/exchange.ts";

/** The plan of the account `limited` allows no more. */
export const MAX_LIMIT = 3;

export type FilledAccount = { readonly addresses: readonly string[]; readonly refusal: Exchange };

export function open(
  { newLabel, lightest, keepOpenS }: Run,
  account: Account,
  options: object = {},
): Promise<Exchange> {
  return account.open({ ...lightest, KeepOpen: keepOpenS, Label: newLabel(), ...options });
}

/** @throws {Undecidable} When it is the machine that is full. */
export async function openUnlessMachineFull(run: Run, account: Account, options: object = {}): Promise<Exchange> {
  const answer = await open(run, account, options);
  if (answer.received.status !== 503) return answer;
  throw new Undecidable("The machine is full, so what the account may open can't be told.");
}

/** Opens until that is refused. @param first The address of the one that is open already. */
export async function fillToLimit(run: Run, account: Account, first: string): Promise<FilledAccount> {
  const addresses = [first];
  for (;;) {
    const answer = await open(run, account);
    if (answer.received.status >= 300) return { addresses, refusal: answer };
    addresses.push(String(expectSuccess(answer)["address"]));
    const expected = `no more than ${MAX_LIMIT} browsers in parallel on the account \`limited\``;
    expectThat(addresses.length <= MAX_LIMIT, expected, `${addresses.length}`);
  }
}

/**
 * As many as the limit allows, for rules that are about something else.
 * @throws {Undecidable} When the account isn't held to its limit as it should be.
 */
export async function openUpToLimit(run: Run, account: Account, first: string): Promise<readonly string[]> {
  const { addresses, refusal } = await fillToLimit(run, account, first);
  if (toErrorBody(refusal.received.json).name === "BrowserLimit") return addresses;
  throw new Undecidable(`Open answered ${describe(refusal.received)} where the limit was to be reached.`);
}

/**
 * Whether a 503 spoke of the machine: then the main account can't open a browser either, or the other one can by now.
 * @throws {Undecidable} When it did.
 */
export async function expectMachineNotFull(run: Run, account: Account): Promise<void> {
  await run.main.close(await run.main.openBrowser());
  const { received } = await open(run, account);
  if (received.status !== 503) throw new Undecidable("The machine was full, so the account's limit was not reached.");
}
