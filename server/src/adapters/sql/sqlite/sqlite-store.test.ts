import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UNLIMITED } from "../../../../test/support/browsers/stored-browser.ts";
import { openTestStore } from "../../../../test/support/databases/stores.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { Store } from "../../../ports/store/store.ts";
import type { NewToken } from "../../../ports/store/token-store.ts";
import { FolderInUse } from "../../../ports/store/store.ts";
import { lockFolder } from "./lock.ts";

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
  version: 0,
};

/** Returns a token that differs from others only in its hash. */
function toToken(hash: string): NewToken {
  return { hash, id: `id of ${hash}`, name: "first", prefix: "rbs_abcd", createdAt: now };
}

async function withAccount(file: string): Promise<Store> {
  const store = await openTestStore(file);
  await store.accounts.create(ACCOUNT, { token: toToken("hash") });
  return store;
}

function reservation(browserId: string) {
  return {
    browserId,
    accountId: ACCOUNT.id,
    version: 0,
    kind: "chromium",
    isHeadless: true,
    tags: [],
    label: undefined,
    requestedAt: now,
    period,
  } as const;
}

test("erased data is no longer in the file", async () => {
  const file = join(folder, "erased.sqlite");
  const store = await withAccount(file);
  await store.browsers.reserve({ ...reservation("b"), label: "canary-label ".repeat(15) }, UNLIMITED);
  await store.browsers.commitOpen("b", "ws://canary-address", now);
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

describe("two processes", () => {
  test("write to the same file concurrently without losing data", async () => {
    const file = join(folder, "shared.sqlite");
    await using store = await withAccount(file);
    const script = `
      const { openTestStore } = await import(process.argv[1]);
      await using store = await openTestStore(process.argv[2]);
      for (let units = 1; units <= 100; units += 1) await store.accounts.change("account", { units });
    `;
    const other = spawn(
      process.execPath,
      ["--input-type=module", "-e", script, import.meta.resolve("../../../../test/support/databases/stores.ts"), file],
      {
        stdio: "inherit",
      },
    );
    const exit = once(other, "exit");
    for (let index = 0; index < 100; index += 1) {
      await store.browsers.reserve(reservation(`b${index}`), UNLIMITED);
      await store.browsers.commitOpen(`b${index}`, `ws://${index}`, now);
    }
    expect(await exit).toEqual([0, null]);
    expect(await store.accounts.findByEmail(ACCOUNT.email)).toMatchObject({ units: 100 });
    expect(await store.usage.month(ACCOUNT.id, period)).toMatchObject({ units: 100, openBrowsers: 100 });
  });

  test("one process's change to an account is visible to the other's next query", async () => {
    const file = join(folder, "seen.sqlite");
    await using server = await withAccount(file);
    await using other = await openTestStore(file);
    expect(await server.tokens.findAccount("hash")).toMatchObject({ isDisabled: false });
    await other.accounts.change(ACCOUNT.id, { isDisabled: true });
    expect(await server.tokens.findAccount("hash")).toMatchObject({ isDisabled: true });
    await server.accounts.change(ACCOUNT.id, { isDisabled: false });
    expect(await server.tokens.findAccount("hash")).toMatchObject({ isDisabled: false });
    await other.tokens.replaceAll(ACCOUNT.id, toToken("new"));
    expect(await server.tokens.findAccount("hash")).toBeUndefined();
  });

  test("can't lock the folder at the same time", () => {
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

test("setting a password ends all of the account's sessions, or changes nothing", async () => {
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
