import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UNLIMITED } from "../../../../test/support/browsers/stored-browser.ts";
import { openTestStore } from "../../../../test/support/databases/stores.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const NO_PLAN = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };

/** Returns the files in the folder that still contain the text. */
async function find(folder: string, text: string): Promise<string[]> {
  const names = await readdir(folder);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), "latin1")));
  return names.filter((_, index) => contents[index]?.includes(text));
}

test("the database and its write-ahead log contain no personal data of an erased account", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rbs-test-"));
  const store = await openTestStore(join(folder, "store.sqlite"));
  // Other accounts make the table realistic.
  for (let index = 0; index < 40; index += 1) {
    const [id, word] = [`account-${index}`, index === 20 ? "canary" : "other"];
    const account = {
      ...NO_PLAN,
      id,
      email: `${word}${index}@example.com`,
      isDisabled: false,
      isOperator: false,
      version: 0,
    };
    const token = { id: `token-${index}`, name: `${word}-token`, hash: `${word}-hash-${index}`, prefix: word };
    await store.accounts.create(
      { ...account, createdAt: NOW },
      { passwordHash: `${word}-password`, token: { ...token, createdAt: NOW } },
    );
    await store.accounts.setProviderKey(id, `${word}-sealed`);
    const session = { hash: `${word}-session-${index}`, accountId: id, createdAt: NOW };
    await store.sessions.add({ ...session, expiresAt: new Date("2026-11-28T10:00:00.000Z") });
    const reservation = {
      browserId: `browser-${index}`,
      accountId: id,
      version: 0,
      kind: "chromium",
      isHeadless: true,
      tags: [],
      period: "2026-11",
    } as const;
    await store.browsers.reserve({ ...reservation, label: `${word}-label`, requestedAt: NOW }, UNLIMITED);
  }
  expect(await find(folder, "canary")).not.toEqual([]);
  await store.accounts.erase("account-20", NOW);
  expect(await find(folder, "canary")).toEqual([]);
  await store[Symbol.asyncDispose]();
  expect(await find(folder, "canary")).toEqual([]);
  expect(await find(folder, "other19@example.com")).not.toEqual([]);
  await rm(folder, { recursive: true });
});
