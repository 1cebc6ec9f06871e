import { expect, test } from "vitest";
import { newRig, type Rig } from "../../../test/support/new-browsers.ts";
import type { Account } from "../../domain/account/account.ts";
import { AccountDesk } from "./account-desk.ts";
import { AccountError } from "./account-error.ts";

function newDesk(rig: Rig): AccountDesk {
  return new AccountDesk({ ...rig, directory: rig.store.directory, sweep: { sweep: async () => {} } });
}

/** Operators who get in. */
async function countOperators(rig: Rig): Promise<number> {
  return (await rig.store.directory.all("2026-11")).filter(({ isOperator, isDisabled }) => isOperator && !isDisabled)
    .length;
}

type Ousting = (desk: AccountDesk, operator: Account, id: string) => Promise<void>;
const OUSTINGS: readonly (readonly [string, Ousting])[] = [
  ["takes the other's rights", (desk, operator, id) => desk.setRights(operator, id, false)],
  ["disables the other", (desk, operator, id) => desk.disable(operator, id)],
];

test.each(OUSTINGS.flatMap(([one, first]) => OUSTINGS.map(([other, second]) => [one, other, first, second] as const)))(
  "of two operators one is left when each acts on the other at the same time: one %s, one %s",
  async (_one, _other, first, second) => {
    await using rig = await newRig();
    const [a, b] = [await rig.account({ isOperator: true }), await rig.account({ isOperator: true })];
    const desk = newDesk(rig);
    const results = await Promise.allSettled([first(desk, a, b.id), second(desk, b, a.id)]);
    const refusals = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(refusals).toEqual([expect.any(AccountError)]);
    expect(String(refusals[0])).toContain("is the last operator who gets in");
    expect(await countOperators(rig)).toBe(1);
  },
);

test("an operator without a password, or disabled, is not counted on", async () => {
  await using rig = await newRig();
  const [a, b] = [await rig.account({ isOperator: true }), await rig.account({ isOperator: true })];
  const noPassword = { ...a, id: "no-password", email: "old@example.com" };
  await rig.store.accounts.create(noPassword, { password: undefined, token: undefined });
  await rig.accounts.change(b, { isDisabled: true });
  await expect(newDesk(rig).setRights(noPassword, a.id, false)).rejects.toThrow("is the last operator");
  expect(await countOperators(rig)).toBe(2);
});

test("who did what to whom is in the log, by ids, and no secret is", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  const desk = newDesk(rig);
  const secrets = [await desk.resetPassword(operator, other.id), await desk.renewToken(operator, other.id)];
  await desk.changeTerms(operator, other.id, { units: 3 });
  const noted = rig.log.lines.filter(({ event }) => event === "operator.acted");
  expect(noted.map(({ facts }) => facts?.["what"])).toEqual(["password", "token", "terms"]);
  expect(noted[0]).toMatchObject({ facts: { operatorId: operator.id, accountId: other.id } });
  for (const secret of [...secrets, other.email, operator.email]) expect(JSON.stringify(noted)).not.toContain(secret);
});

test("a browser that an operator closes has ended, and the log says who closed it", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  const [browser, left] = [await rig.open(other), await rig.open(other)];
  const desk = newDesk(rig);
  expect(await desk.closeBrowser(operator, browser.id)).toBe(true);
  expect([...rig.browsers.all()]).toEqual([left]);
  expect(rig.host.running).toBe(1);
  const facts = { operatorId: operator.id, accountId: other.id, what: "browser closed", browserId: browser.id };
  expect(rig.log.lines).toContainEqual(expect.objectContaining({ event: "operator.acted", facts }));
  const before = rig.log.lines.length;
  expect(await desk.closeBrowser(operator, browser.id)).toBe(false);
  expect(rig.log.lines).toHaveLength(before);
});

test("erased accounts are in no page of the list", async () => {
  await using rig = await newRig();
  const [first, second] = [await rig.account(), await rig.account()];
  await rig.accounts.erase(first);
  expect((await newDesk(rig).page("", undefined)).entries.map(({ id }) => id)).toEqual([second.id]);
  expect(await newDesk(rig).emails([first.id, second.id])).toEqual(new Map([[second.id, second.email]]));
});

test("a list goes on behind an account that was erased meanwhile", async () => {
  await using rig = await newRig();
  const accounts: Account[] = [];
  for (let at = 0; at < 51; at += 1) accounts.push(await rig.account());
  const desk = newDesk(rig);
  const { last = "" } = await desk.page("", undefined);
  await rig.accounts.erase({ id: last });
  const { entries } = await desk.page("", last);
  expect(entries).toHaveLength(1);
});

test("whoever looks at the account's browsers is told of new terms", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  let told = 0;
  rig.events.subscribe(other.id, () => (told += 1));
  await newDesk(rig).changeTerms(operator, other.id, { units: 3 });
  expect(told).toBe(1);
});
