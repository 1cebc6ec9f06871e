import type { Account, SendOptions } from "../session/account.ts";
import { describe, expectSuccess, expectThat, toErrorBody } from "../session/expect.ts";
import type { Run } from "../session/run.ts";
import { Undecidable } from "../target/violation.ts";
import type { Exchange } from "../target/exchange.ts";

/** Highest parallel limit that the account `limited` may have. */
export const MAX_LIMIT = 3;

type FilledAccount = { readonly addresses: readonly string[]; readonly refusal: Exchange };

export function open(
  { newLabel, lightest, keepOpenS }: Run,
  account: Account,
  options: object = {},
  sending?: SendOptions,
): Promise<Exchange> {
  return account.open({ ...lightest, KeepOpen: keepOpenS, Label: newLabel(), ...options }, sending);
}

/** @throws {Undecidable} If the machine is full. */
export async function openUnlessMachineFull(
  run: Run,
  account: Account,
  options: object = {},
  sending?: SendOptions,
): Promise<Exchange> {
  const answer = await open(run, account, options, sending);
  if (answer.received.status !== 503) return answer;
  throw new Undecidable("The machine is full, so the account's limit can't be tested.");
}

/** Opens browsers until an Open request is rejected. @param first The address of a browser that is already open. */
export async function fillToLimit(run: Run, account: Account, first: string): Promise<FilledAccount> {
  const addresses = [first];
  for (;;) {
    const answer = await open(run, account);
    if (answer.received.status >= 300) return { addresses, refusal: answer };
    addresses.push(String(expectSuccess(answer)["address"]));
    const expected = `at most ${MAX_LIMIT} parallel browsers on the account \`limited\``;
    expectThat(addresses.length <= MAX_LIMIT, expected, `${addresses.length}`);
  }
}

/**
 * Opens browsers up to the limit, for rules that do not test the limit.
 * @throws {Undecidable} If the limit is not enforced correctly.
 */
export async function openUpToLimit(run: Run, account: Account, first: string): Promise<readonly string[]> {
  const { addresses, refusal } = await fillToLimit(run, account, first);
  if (toErrorBody(refusal.received.json).name === "BrowserLimit") return addresses;
  throw new Undecidable(`Open returned ${describe(refusal.received)} instead of 404 BrowserLimit.`);
}

/**
 * Checks that a 503 was not caused by a full machine: the main account can open a browser, but this account still
 * can't.
 * @throws {Undecidable} If the machine was full.
 */
export async function expectMachineNotFull(run: Run, account: Account): Promise<void> {
  await run.main.close(await run.main.openBrowser());
  const { received } = await open(run, account);
  if (received.status !== 503) throw new Undecidable("The machine was full, so the account's limit was not reached.");
}
