import { expect, test } from "vitest";
import { newRig, type Rig } from "../../../test/support/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import { AccountError } from "./errors.ts";
import { Operators } from "./operators.ts";

function newOperators(rig: Rig): Operators {
  return new Operators({ ...rig, store: rig.store.accounts, workers: undefined, sweep: { sweep: async () => {} } });
}

/** Operators who can sign in. */
async function countOperators(rig: Rig): Promise<number> {
  return (await rig.store.accounts.all("2026-11")).filter(({ isOperator, isDisabled }) => isOperator && !isDisabled)
    .length;
}

type Removal = (operators: Operators, operator: Account, id: string) => Promise<void>;
const REMOVALS: readonly (readonly [string, Removal])[] = [
  ["removes the other's rights", (operators, operator, id) => operators.setRights(operator, id, false)],
  ["disables the other", (operators, operator, id) => operators.disable(operator, id)],
];

test.each(REMOVALS.flatMap(([one, first]) => REMOVALS.map(([other, second]) => [one, other, first, second] as const)))(
  "when two operators act on each other at the same time, one stays an operator: one %s, one %s",
  async (_one, _other, first, second) => {
    await using rig = await newRig();
    const [a, b] = [await rig.account({ isOperator: true }), await rig.account({ isOperator: true })];
    const operators = newOperators(rig);
    const results = await Promise.allSettled([first(operators, a, b.id), second(operators, b, a.id)]);
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(refusals).toEqual([expect.any(AccountError)]);
    expect(String(refusals[0])).toContain("is the last operator who can sign in");
    expect(await countOperators(rig)).toBe(1);
  },
);

test("an operator who is disabled or has no password doesn't count as one who can sign in", async () => {
  await using rig = await newRig();
  const [a, b] = [await rig.account({ isOperator: true }), await rig.account({ isOperator: true })];
  const noPassword = { ...a, id: "no-password", email: "old@example.com" };
  await rig.store.accounts.create(noPassword, {});
  await rig.accounts.change(b, { isDisabled: true });
  await expect(newOperators(rig).setRights(noPassword, a.id, false)).rejects.toThrow("is the last operator");
  expect(await countOperators(rig)).toBe(2);
});

test("the log has what an operator did to which account, by ids and without secrets", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  const operators = newOperators(rig);
  const secrets = [await operators.resetPassword(operator, other.id), await operators.renewToken(operator, other.id)];
  await operators.changeTerms(operator, other.id, { units: 3 });
  const logged = rig.log.lines.filter(({ event }) => event === "operator.acted");
  expect(logged.map(({ facts }) => facts?.["what"])).toEqual(["password", "token", "terms"]);
  expect(logged[0]).toMatchObject({ facts: { operatorId: operator.id, accountId: other.id } });
  for (const secret of [...secrets, other.email, operator.email]) expect(JSON.stringify(logged)).not.toContain(secret);
});

test("an operator closes a browser, and the log says who closed it", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  const [browser, left] = [await rig.open(other), await rig.open(other)];
  const operators = newOperators(rig);
  expect(await operators.closeBrowser(operator, browser.id)).toBe(true);
  expect([...rig.residents.all()]).toEqual([left]);
  expect(rig.host.running).toBe(1);
  const facts = { operatorId: operator.id, accountId: other.id, what: "browser closed", browserId: browser.id };
  expect(rig.log.lines).toContainEqual(expect.objectContaining({ event: "operator.acted", facts }));
  const before = rig.log.lines.length;
  expect(await operators.closeBrowser(operator, browser.id)).toBe(false);
  expect(rig.log.lines).toHaveLength(before);
});

test("the list leaves out erased accounts", async () => {
  await using rig = await newRig();
  const [first, second] = [await rig.account(), await rig.account()];
  await rig.accounts.erase(first);
  expect((await newOperators(rig).page("", undefined)).accounts.map(({ id }) => id)).toEqual([second.id]);
  expect(await newOperators(rig).emails([first.id, second.id])).toEqual(new Map([[second.id, second.email]]));
});

test("paging continues after an account that was erased meanwhile", async () => {
  await using rig = await newRig();
  const accounts: Account[] = [];
  for (let at = 0; at < 51; at += 1) accounts.push(await rig.account());
  const operators = newOperators(rig);
  const { next = "" } = await operators.page("", undefined);
  await rig.accounts.erase({ id: next });
  const { accounts: rest } = await operators.page("", next);
  expect(rest).toHaveLength(1);
});

test("new terms emit an event for the account's pages", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  let emitted = 0;
  rig.events.subscribe(other.id, () => (emitted += 1));
  await newOperators(rig).changeTerms(operator, other.id, { units: 3 });
  expect(emitted).toBe(1);
});
