import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { addOpenBrowser } from "../../../../test/support/browsers/stored-browser.ts";
import type { Account } from "../../../domain/account/account.ts";
import { EmailTaken } from "../../../ports/store/account-store.ts";
import type { Store } from "../../../ports/store/store.ts";
import { openTestStore } from "../../../../test/support/databases/stores.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const PERIOD = "2026-11";

afterEach(() => vi.restoreAllMocks());

async function add(
  { accounts }: Store,
  id: string,
  { password = "hash", ...facts }: Partial<Account> & { password?: string | undefined } = {},
): Promise<void> {
  const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const account = {
    ...none,
    id,
    email: `${id}@example.com`,
    isDisabled: false,
    isOperator: false,
    version: 0,
    createdAt: NOW,
  };
  await accounts.create({ ...account, ...facts }, { passwordHash: password === "" ? undefined : password });
}

test.each([
  { other: "no operator", facts: {}, getsIn: false },
  { other: "disabled", facts: { isOperator: true, isDisabled: true }, getsIn: false },
  { other: "without a password", facts: { isOperator: true, password: "" }, getsIn: false },
  { other: "an operator who can sign in", facts: { isOperator: true }, getsIn: true },
])("`hasOtherOperator` and `changeIfOperatorStays` agree if the other account is $other", async (row) => {
  await using store = await openTestStore();
  await add(store, "one", { isOperator: true });
  await add(store, "other", row.facts);
  expect(await store.accounts.hasOtherOperator("one")).toBe(row.getsIn);
  expect(await store.accounts.changeIfOperatorStays("one", { isDisabled: true })).toBe(row.getsIn);
  expect(await store.accounts.find("one")).toMatchObject({ isDisabled: row.getsIn });
});

test("an account with a key from an earlier version keeps its email alongside an account with a confusable email", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "service.sqlite");
  await using store = await openTestStore(file);
  await add(store, "former", { email: "ⓑob@example.com" });
  using database = new DatabaseSync(file);
  database.prepare("update accounts set email_key = email where id = 'former'").run();
  const found = async (email: string): Promise<string | undefined> => (await store.accounts.findByEmail(email))?.id;
  expect([await found("Ⓑob@example.com"), await found("bob@example.com")]).toEqual(["former", undefined]);
  await expect(add(store, "again", { email: "ⓑob@example.com" })).rejects.toThrow(EmailTaken);
  await add(store, "bob");
  expect([await found("ⓑob@example.com"), await found("bob@example.com")]).toEqual(["former", "bob"]);
  const page = { search: "ⓑob", after: undefined, limit: 9, period: PERIOD };
  expect((await store.accounts.page(page)).map(({ id }) => id)).toEqual(["former", "bob"]);
});

test("an erased account doesn't count as another operator", async () => {
  await using store = await openTestStore();
  for (const id of ["one", "other"]) await add(store, id, { isOperator: true });
  await store.accounts.erase("other", NOW);
  expect(await store.accounts.hasOtherOperator("one")).toBe(false);
});

test("the store is empty until the first account is created, and after all accounts are erased", async () => {
  await using store = await openTestStore();
  expect(await store.accounts.isEmpty()).toBe(true);
  await add(store, "one");
  expect(await store.accounts.isEmpty()).toBe(false);
  await store.accounts.erase("one", NOW);
  expect(await store.accounts.isEmpty()).toBe(true);
});

test("one query lists all accounts in order of creation, each with its own usage for the month", async () => {
  await using store = await openTestStore();
  await add(store, "later", { createdAt: new Date(NOW.getTime() + 1) });
  await add(store, "first");
  await add(store, "erased");
  await store.accounts.erase("erased", NOW);
  for (const [id, period] of [["now", PERIOD] as const, ["before", "2026-10"] as const]) {
    const openedAt = new Date(`${period}-21T10:00:00.000Z`);
    await addOpenBrowser(store.browsers, { id, accountId: "later", openedAt });
  }
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  expect(await store.accounts.all(PERIOD)).toMatchObject([
    { id: "first", unitsUsed: 0, openBrowsers: 0 },
    { id: "later", unitsUsed: 1, openBrowsers: 2 },
  ]);
  expect(prepare).toHaveBeenCalledOnce();
});

test("a query for several accounts takes one statement, however many accounts there are", async () => {
  await using store = await openTestStore();
  for (const id of ["one", "two", `"]'`]) await add(store, id, { isDisabled: id === "two" });
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  expect(await store.accounts.emails([])).toEqual(new Map());
  expect(await store.accounts.emails(["two", `"]'`, "unknown"])).toEqual(
    new Map([
      ["two", "two@example.com"],
      [`"]'`, `"]'@example.com`],
    ]),
  );
  expect(await store.accounts.findSuspended([])).toEqual(new Set());
  expect(await store.accounts.findSuspended(["one", "two", `"]'`])).toEqual(new Set(["two"]));
  expect(prepare).toHaveBeenCalledTimes(2);
});
