import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNLIMITED, addOpenBrowser } from "../../../test/support/stored-browser.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Standing, Terms } from "../../domain/account/entitlement.ts";
import { EmailTaken } from "../../ports/account-store.ts";
import type { Store } from "../../ports/store.ts";
import type { NewToken } from "../../ports/token-store.ts";
import { FolderInUse } from "../../ports/store.ts";
import { lockFolder } from "./lock.ts";
import { openSqliteStore } from "./sqlite-store.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-store-"));
});
afterAll(() => rm(folder, { recursive: true }));

const now = new Date("2026-11-21T10:00:00.000Z");
const period = "2026-11";
const ACCOUNT: Account = {
  id: "account",
  email: "Someone@Example.com",
  plan: "small",
  parallel: 3,
  units: undefined,
  hasAdditionalUnits: false,
  isDisabled: false,
  isOperator: false,
  createdAt: now,
};

/** A token that differs from others in its hash only. */
function toToken(hash: string): NewToken {
  return { hash, id: `id of ${hash}`, name: "first", prefix: "rbs_abcd", createdAt: now };
}

async function withAccount(file = ":memory:"): Promise<Store> {
  const store = await openSqliteStore(file);
  await store.accounts.create(ACCOUNT, { token: toToken("hash") });
  return store;
}

function reservation(browserId: string) {
  return { browserId, accountId: ACCOUNT.id, kind: "chromium", label: undefined, requestedAt: now, period } as const;
}

/** Terms that admit no browser, and an account that has none. */
const REFUSING: Terms = { parallel: 0, units: undefined };
const NOTHING: Standing = { isBarred: false, browsers: 0, units: 0 };

describe("accounts", () => {
  test("are found by email in any case and by each live token", async () => {
    await using store = await withAccount();
    expect(await store.accounts.findByEmail("someone@example.COM")).toEqual(ACCOUNT);
    expect(await store.tokens.findAccount("hash")).toEqual(ACCOUNT);
    await store.tokens.replaceAll(ACCOUNT.id, toToken("new"));
    expect(await store.tokens.findAccount("hash")).toBeUndefined();
    expect(await store.tokens.findAccount("new")).toEqual(ACCOUNT);
  });

  test("erased data is not in the file any more", async () => {
    const file = join(folder, "erased.sqlite");
    const store = await withAccount(file);
    await store.browsers.reserve({ ...reservation("b"), label: "canary-label ".repeat(15) }, UNLIMITED);
    await store.browsers.open("b", "ws://canary-address", now);
    await store.browsers.close("b", { at: now, reason: "requested", minutes: 1 });
    await store.accounts.erase(ACCOUNT.id, now);
    expect(await store.accounts.find(ACCOUNT.id)).toBeUndefined();
    expect(await store.accounts.findByEmail(ACCOUNT.email)).toBeUndefined();
    expect(await store.tokens.findAccount("hash")).toBeUndefined();
    await store[Symbol.asyncDispose]();
    const bytes = (await readFile(file)).toString("latin1");
    const canaries = [/someone@example\.com/i, /canary-label/, /canary-address/];
    expect(canaries.filter((canary) => canary.test(bytes))).toEqual([]);
  });

  test("an email can be used once, and the second attempt leaves no token behind", async () => {
    await using store = await withAccount();
    const second = { ...ACCOUNT, id: "second", email: ACCOUNT.email.toUpperCase() };
    await expect(store.accounts.create(second, { token: toToken("other") })).rejects.toThrow(EmailTaken);
    expect(await store.tokens.findAccount("other")).toBeUndefined();
  });

  test("null removes an override, and other columns stay the same", async () => {
    await using store = await withAccount();
    await store.accounts.change(ACCOUNT.id, { parallel: null, units: 7, hasAdditionalUnits: true });
    expect(await store.accounts.findByEmail(ACCOUNT.email)).toEqual({
      ...ACCOUNT,
      parallel: undefined,
      units: 7,
      hasAdditionalUnits: true,
    });
  });
});

describe("reservations", () => {
  test("a refused reservation writes nothing", async () => {
    await using store = await withAccount();
    for (const again of ["a", "b"]) {
      expect(await store.browsers.reserve(reservation(again), REFUSING)).toEqual(NOTHING);
    }
  });

  test.each([
    ["disabled", (store: Store) => store.accounts.change(ACCOUNT.id, { isDisabled: true })],
    ["deleted", (store: Store) => store.accounts.erase(ACCOUNT.id, now)],
  ])("of a %s account are refused", async (_, bar) => {
    await using store = await withAccount();
    await bar(store);
    expect(await store.browsers.reserve(reservation("a"), UNLIMITED)).toEqual({ ...NOTHING, isBarred: true });
  });

  test("count as a browser and a unit until they are opened or cancelled", async () => {
    await using store = await withAccount();
    const one = { ...NOTHING, browsers: 1, units: 1 };
    expect(await store.browsers.reserve(reservation("a"), { parallel: 2, units: 2 })).toBeUndefined();
    expect(await store.browsers.reserve(reservation("b"), { parallel: 1, units: 2 })).toEqual(one);
    expect(await store.browsers.reserve(reservation("b"), { parallel: 2, units: 1 })).toEqual(one);
    expect(await store.browsers.reserve(reservation("b"), { parallel: 2, units: 2 })).toBeUndefined();
    await store.browsers.cancel("a");
    await store.browsers.open("b", "ws://x", now);
    expect(await store.browsers.reserve(reservation("c"), REFUSING)).toEqual(one);
  });

  test("only reservations can be cancelled: an open browser stays", async () => {
    await using store = await withAccount();
    await store.browsers.reserve(reservation("a"), UNLIMITED);
    await store.browsers.open("a", "ws://x", now);
    await store.browsers.cancel("a");
    expect((await store.usage.month(ACCOUNT.id, period)).openBrowsers).toBe(1);
  });
});

describe("the ledger", () => {
  test("holds each minute once, in any order of charges", async () => {
    const minutes = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(fc.array(minutes, { maxLength: 12 }), minutes, async (ticks, atEnd) => {
        await using store = await withAccount();
        await addOpenBrowser(store.browsers, { id: "a", accountId: ACCOUNT.id, openedAt: now });
        const added = await Promise.all(
          ticks.map((each) => store.browsers.charge([{ browserId: "a", minutes: each }])),
        );
        const end = { at: now, reason: "requested", minutes: atEnd } as const;
        added.push(await store.browsers.close("a", end), await store.browsers.close("a", end));
        const units = Math.max(...ticks, atEnd);
        expect(1 + added.reduce((sum, each) => sum + each, 0)).toBe(units);
        expect(await store.usage.month(ACCOUNT.id, period)).toEqual({ period, units, openBrowsers: 0 });
      }),
      { numRuns: 40 },
    );
  });

  test("leaves out browsers that aren't open", async () => {
    await using store = await withAccount();
    await store.browsers.reserve(reservation("opening"), UNLIMITED);
    await addOpenBrowser(store.browsers, { id: "closed", accountId: ACCOUNT.id, openedAt: now });
    await store.browsers.close("closed", { at: now, reason: "requested", minutes: 1 });
    const all = ["opening", "closed", "unknown"].map((browserId) => ({ browserId, minutes: 3 }));
    expect(await store.browsers.charge(all)).toBe(0);
    expect(await store.usage.month(ACCOUNT.id, period)).toMatchObject({ units: 1 });
  });

  test("an account's units of this month are those of its latest month, also when an earlier one is charged late", async () => {
    await using store = await withAccount();
    const openedAt = new Date("2026-11-30T23:58:30.000Z");
    for (const id of ["a", "b"]) await addOpenBrowser(store.browsers, { id, accountId: ACCOUNT.id, openedAt });
    // Minutes 0 and 1 start in November.
    expect(await store.browsers.charge([{ browserId: "a", minutes: 4 }])).toBe(3);
    expect(await store.browsers.charge([{ browserId: "b", minutes: 2 }])).toBe(1);
    const readUnits = async (month: string) =>
      (await store.browsers.reserve({ ...reservation("c"), period: month }, REFUSING))?.units;
    expect([await readUnits("2026-12"), await readUnits("2027-01")]).toEqual([2, 0]);
    expect(await store.usage.month(ACCOUNT.id, "2026-11")).toMatchObject({ units: 4 });
    expect(await store.usage.month(ACCOUNT.id, "2026-12")).toMatchObject({ units: 2 });
  });

  test("open browsers of a killed server are closed, and its reservations are removed", async () => {
    await using store = await withAccount();
    await store.browsers.reserve(reservation("open"), UNLIMITED);
    await store.browsers.open("open", "ws://x", now);
    await store.browsers.reserve(reservation("opening"), UNLIMITED);
    expect(await store.browsers.closeLost()).toBe(1);
    expect(await store.browsers.closeLost()).toBe(0);
    expect(await store.browsers.reserve(reservation("next"), REFUSING)).toEqual({ ...NOTHING, units: 1 });
  });
});

describe("two processes", () => {
  test("write to one file at the same time and lose nothing", async () => {
    const file = join(folder, "shared.sqlite");
    await using store = await withAccount(file);
    const script = `
      const { openSqliteStore } = await import(process.argv[1]);
      await using store = await openSqliteStore(process.argv[2]);
      for (let units = 1; units <= 100; units += 1) await store.accounts.change("account", { units });
    `;
    const other = spawn(
      process.execPath,
      ["--input-type=module", "-e", script, import.meta.resolve("./sqlite-store.ts"), file],
      {
        stdio: "inherit",
      },
    );
    const exit = once(other, "exit");
    for (let index = 0; index < 100; index += 1) {
      await store.browsers.reserve(reservation(`b${index}`), UNLIMITED);
      await store.browsers.open(`b${index}`, `ws://${index}`, now);
    }
    expect(await exit).toEqual([0, null]);
    expect(await store.accounts.findByEmail(ACCOUNT.email)).toMatchObject({ units: 100 });
    expect(await store.usage.month(ACCOUNT.id, period)).toMatchObject({ units: 100, openBrowsers: 100 });
  });

  test("a change of an account by one is visible to the next query of the other", async () => {
    const file = join(folder, "seen.sqlite");
    await using server = await withAccount(file);
    await using other = await openSqliteStore(file);
    expect(await server.tokens.findAccount("hash")).toMatchObject({ isDisabled: false });
    await other.accounts.change(ACCOUNT.id, { isDisabled: true });
    expect(await server.tokens.findAccount("hash")).toMatchObject({ isDisabled: true });
    await server.accounts.change(ACCOUNT.id, { isDisabled: false });
    expect(await server.tokens.findAccount("hash")).toMatchObject({ isDisabled: false });
    await other.tokens.replaceAll(ACCOUNT.id, toToken("new"));
    expect(await server.tokens.findAccount("hash")).toBeUndefined();
  });

  test("only one can lock the folder at a time", () => {
    const file = join(folder, "lock");
    const lock = lockFolder(file);
    expect(() => lockFolder(file)).toThrow(FolderInUse);
    lock[Symbol.dispose]();
    lockFolder(file)[Symbol.dispose]();
  });
});

test("while another process writes, a write waits without blocking the thread", async () => {
  const file = join(folder, "busy.db");
  await using store = await withAccount(file);
  const other = new DatabaseSync(file);
  other.exec("begin immediate");
  const writing = store.accounts.change(ACCOUNT.id, { parallel: 4 });
  let turns = 0;
  while (turns < 20) {
    const before = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(performance.now() - before).toBeLessThan(1000);
    turns++;
  }
  other.exec("commit");
  other.close();
  await writing;
  expect(await store.accounts.find(ACCOUNT.id)).toMatchObject({ parallel: 4 });
});

test("a new password ends all sessions of its account, or nothing changes", async () => {
  const file = join(folder, "password.db");
  await using store = await withAccount(file);
  await store.accounts.setPasswordHash(ACCOUNT.id, "old");
  const session = { hash: "session", accountId: ACCOUNT.id, createdAt: now, expiresAt: new Date(now.getTime() + 1000) };
  await store.sessions.add(session);
  const other = new DatabaseSync(file);
  other.exec("create trigger fails before delete on sessions begin select raise(abort, 'the disk is full'); end");
  await expect(store.accounts.setPasswordHash(ACCOUNT.id, "new")).rejects.toThrow("the disk is full");
  expect(await store.accounts.readPasswordHash(ACCOUNT.id)).toBe("old");
  expect(await store.sessions.find("session", now)).toBeDefined();
  other.exec("drop trigger fails");
  other.close();
  await store.accounts.setPasswordHash(ACCOUNT.id, "new");
  expect(await store.accounts.readPasswordHash(ACCOUNT.id)).toBe("new");
  expect(await store.sessions.find("session", now)).toBeUndefined();
});

test("tokens of queries are summed per account and day, and only those of the last day are kept", async () => {
  await using store = await withAccount();
  await store.accounts.create({ ...ACCOUNT, id: "other", email: "other@example.com" }, { token: toToken("other") });
  await store.queries.addTokens("account", "2026-11-21", 5);
  await Promise.all([1, 2, 3].map((tokens) => store.queries.addTokens("account", "2026-11-21", tokens)));
  await store.queries.addTokens("other", "2026-11-21", 100);
  expect(await store.queries.sumTokens("account", "2026-11-21")).toEqual({ own: 11, all: 111 });
  await store.queries.addTokens("account", "2026-11-22", 1);
  expect(await store.queries.sumTokens("account", "2026-11-22")).toEqual({ own: 1, all: 1 });
  expect(await store.queries.sumTokens("other", "2026-11-21")).toEqual({ own: 0, all: 0 });
});
