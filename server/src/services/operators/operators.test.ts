import { expect, test, vi } from "vitest";
import { newRig, type Rig } from "../../../test/support/servers/services-rig.ts";
import type { Account } from "../../domain/account/account.ts";
import { StoreUnavailable } from "../../ports/store/store.ts";
import type { ServerRegistry } from "../../ports/cluster/server-registry.ts";
import { Audit } from "./audit.ts";
import { AccountError } from "../accounts/errors.ts";
import { Operators } from "./operators.ts";

function newOperators(rig: Rig): Operators {
  const { store, clock } = rig;
  // Ids start at 100, so that their text form sorts like numbers.
  let acts = 100;
  const audit = new Audit({ store: store.audit, clock, newId: () => String((acts += 1)) });
  const sweep = { sweep: async () => {} };
  const workers = { want: async (id: string) => id === "here" } as unknown as ServerRegistry;
  return new Operators({ ...rig, audit, store: store.accounts, workers, sweep });
}

/** Returns the number of operators who can sign in. */
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
  "if two operators act on each other at the same time, one remains an operator: one %s, one %s",
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

test("an operator who is disabled or has no password doesn't count as able to sign in", async () => {
  await using rig = await newRig();
  const [a, b] = [await rig.account({ isOperator: true }), await rig.account({ isOperator: true })];
  const noPassword = { ...a, id: "no-password", email: "old@example.com" };
  await rig.store.accounts.create(noPassword, {});
  await rig.accounts.change(b, { isDisabled: true });
  await expect(newOperators(rig).setRights(noPassword, a.id, false)).rejects.toThrow("is the last operator");
  expect(await countOperators(rig)).toBe(2);
});

test("the log records operators' actions on accounts, with ids but without secrets", async () => {
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

test("when an operator closes a browser, the log names the operator", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  const [browser, left] = [await rig.open(other), await rig.open(other)];
  const operators = newOperators(rig);
  expect(await operators.closeBrowser(operator, browser.id)).toBe(true);
  expect([...rig.localBrowsers.all()]).toEqual([left]);
  expect(rig.host.running).toBe(1);
  const facts = { operatorId: operator.id, accountId: other.id, what: "browser closed", browserId: browser.id };
  expect(rig.log.lines).toContainEqual(expect.objectContaining({ event: "operator.acted", facts }));
  const before = rig.log.lines.length;
  expect(await operators.closeBrowser(operator, browser.id)).toBe(false);
  expect(rig.log.lines).toHaveLength(before);
});

test("the audit log records every successful operator action, without secrets", async () => {
  await using rig = await newRig();
  const operator = await rig.account({ isOperator: true });
  const operators = newOperators(rig);
  const { account: other, ...secrets } = await operators.create(operator, { email: "new@example.com", plan: "small" });
  const browser = await rig.open(other);
  await operators.closeBrowser(operator, browser.id);
  await operators.closeBrowser(operator, browser.id);
  await operators.changeTerms(operator, other.id, { plan: null, units: 3 });
  await operators.disable(operator, other.id);
  await operators.enable(operator, other.id);
  await operators.setRights(operator, other.id, true);
  await operators.setRights(operator, other.id, false);
  await expect(operators.setRights(operator, operator.id, false)).rejects.toThrow("your own account");
  const password = await operators.resetPassword(operator, other.id);
  const token = await operators.renewToken(operator, other.id);
  await operators.wantWorker(operator, "here", "cordoned");
  await operators.wantWorker(operator, "gone", "cordoned");
  const { acts, emails, next } = await operators.acts({ subject: undefined });
  expect(acts.toReversed().map(({ act, subject, details }) => [act, subject, details])).toEqual([
    ["created", other.id, { plan: "small" }],
    ["browser closed", other.id, { browserId: browser.id }],
    ["terms", other.id, { plan: null, units: 3 }],
    ["disabled", other.id, {}],
    ["enabled", other.id, {}],
    ["rights given", other.id, {}],
    ["rights taken", other.id, {}],
    ["password", other.id, {}],
    ["token", other.id, {}],
    ["server cordoned", "here", {}],
  ]);
  for (const { actor, at } of acts) expect([actor, at]).toEqual([operator.id, rig.clock.now()]);
  expect([...emails.values()].toSorted()).toEqual([other.email, operator.email].toSorted());
  expect(next).toBeUndefined();
  const written = JSON.stringify(acts);
  for (const secret of [...Object.values(secrets), password, token, other.email]) expect(written).not.toContain(secret);
  const page = await operators.acts({ subject: other.id, limit: 4 });
  expect(page.acts.map(({ act }) => act)).toEqual(["token", "password", "rights taken", "rights given"]);
  const rest = await operators.acts({ subject: other.id, before: page.next });
  expect(rest.acts.map(({ act }) => act)).toEqual(["enabled", "disabled", "terms", "browser closed", "created"]);
});

test("an action takes effect and is logged even if its record can't be written", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  vi.spyOn(rig.store.audit, "add").mockRejectedValue(new StoreUnavailable("The disk is full."));
  expect(await newOperators(rig).resetPassword(operator, other.id)).toMatch(/^[a-z0-9-]+$/);
  expect(rig.log.lines.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["operator.acted", "audit.write_failed"]),
  );
});

test("the list omits erased accounts", async () => {
  await using rig = await newRig();
  const [first, second] = [await rig.account(), await rig.account()];
  await rig.accounts.erase(first);
  expect((await newOperators(rig).page("", undefined)).accounts.map(({ id }) => id)).toEqual([second.id]);
  expect(await newOperators(rig).emails([first.id, second.id])).toEqual(new Map([[second.id, second.email]]));
});

test("paging continues after an account that was erased between pages", async () => {
  await using rig = await newRig();
  const accounts: Account[] = [];
  for (let at = 0; at < 51; at += 1) accounts.push(await rig.account());
  const operators = newOperators(rig);
  const { next = "" } = await operators.page("", undefined);
  await rig.accounts.erase({ id: next });
  const { accounts: rest } = await operators.page("", next);
  expect(rest).toHaveLength(1);
});

test("setting new terms notifies the account's pages", async () => {
  await using rig = await newRig();
  const [operator, other] = [await rig.account({ isOperator: true }), await rig.account()];
  let emitted = 0;
  rig.events.subscribe(other.id, () => (emitted += 1));
  await newOperators(rig).changeTerms(operator, other.id, { units: 3 });
  expect(emitted).toBe(1);
});
