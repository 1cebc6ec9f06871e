import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Postgres, startPostgres } from "../../../test/support/databases/postgres.ts";
import { ALL_BROWSERS, UNLIMITED, addOpenBrowser } from "../../../test/support/browsers/stored-browser.ts";
import { TEST_KEY, newPostgresStore, openTestPostgresStore } from "../../../test/support/databases/stores.ts";
import type { Account } from "../../domain/account/account.ts";
import type { Store } from "../../ports/store/store.ts";
import { newKeyBox } from "../aes-gcm/file-key-box.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const NEW_KEY = Buffer.alloc(32, 2).toString("base64");

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Opens the stores of several servers that share one database. */
async function openStores(count: number) {
  await using acquired = new AsyncDisposableStack();
  const { store, url } = await newPostgresStore(postgres);
  const stores = [acquired.use(store)];
  for (let index = 1; index < count; index += 1)
    stores.push(acquired.use(await openTestPostgresStore(url, `worker-${index + 1}`)));
  const resources = acquired.move();
  return { stores, url, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function toAccount(id: string, isOperator = false): Account {
  const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  return { id, email: `${id}@example.com`, ...none, isDisabled: false, isOperator, createdAt: NOW, version: 0 };
}

function toToken(id: string) {
  return { id, name: id, hash: `hash of ${id}`, prefix: "rbs_abcd", createdAt: NOW };
}

/** Runs a step on all stores at the same time, `times` times on each. */
function onAll<Result>(stores: readonly Store[], times: number, act: (store: Store, index: number) => Promise<Result>) {
  return Promise.all(
    stores.flatMap((store, at) => Array.from({ length: times }, (_, index) => act(store, at * times + index))),
  );
}

describe("several servers at the same time", () => {
  test("create only one first account", async () => {
    await using opened = await openStores(4);
    const { stores } = opened;
    const created = await onAll(stores, 5, (store, index) => store.accounts.createFirst(toAccount(`a${index}`), {}));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await stores[0]?.accounts.all("2026-11")).toHaveLength(1);
  });

  test("leave at least one operator", async () => {
    await using opened = await openStores(3);
    const { stores } = opened;
    const ids = Array.from({ length: 12 }, (_, index) => `operator-${index}`);
    for (const id of ids) await stores[0]?.accounts.create(toAccount(id, true), { passwordHash: "p" });
    const changed = await onAll(stores, 4, (store, index) =>
      store.accounts.changeIfOperatorStays(`operator-${index}`, { isOperator: false }),
    );
    expect(changed.filter(Boolean)).toHaveLength(11);
    expect(await stores[0]?.accounts.hasOtherOperator("")).toBe(true);
  });

  test("don't exceed an account's token limit", async () => {
    await using opened = await openStores(3);
    const { stores } = opened;
    await stores[0]?.accounts.create(toAccount("one"), {});
    const added = await onAll(stores, 20, (store, index) => store.tokens.add("one", toToken(`t${index}`), 50));
    expect(added.filter(Boolean)).toHaveLength(50);
    expect(await stores[0]?.tokens.list("one")).toHaveLength(50);
  });

  test("record the latest use of each token, regardless of the order in which uses are recorded", async () => {
    await using opened = await openStores(3);
    const { stores } = opened;
    await stores[0]?.accounts.create(toAccount("one"), {});
    const ids = Array.from({ length: 30 }, (_, index) => `t${index}`);
    for (const id of ids) await stores[0]?.tokens.add("one", toToken(id), 50);
    await onAll(stores, 10, (store, index) => {
      const ordered = index % 2 === 0 ? ids : ids.toReversed();
      const usedAt = new Date(NOW.getTime() + index * 1000);
      return store.tokens.recordUses(new Map(ordered.map((id) => [`hash of ${id}`, usedAt])));
    });
    const used = await stores[0]?.tokens.list("one");
    expect(new Set(used?.map(({ lastUsedAt }) => lastUsedAt?.getTime()))).toEqual(new Set([NOW.getTime() + 29 * 1000]));
  });

  test("share a count of attempts that excludes refused attempts", async () => {
    await using opened = await openStores(3);
    const { stores } = opened;
    const limit = { points: 10, perS: 900 };
    const waits = await onAll(stores, 10, async (store) => store.attempts?.take("failures anna", limit));
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(10);
    for (const wait of waits.filter((one) => one !== undefined)) expect(wait).toBeGreaterThan(890);
    await stores[1]?.attempts?.giveBack("failures anna");
    expect(await stores[2]?.attempts?.take("failures anna", limit)).toBeUndefined();
    expect(await stores[2]?.attempts?.take("failures anna", limit)).toBeGreaterThan(890);
    expect(await stores[0]?.attempts?.take("failures bert", limit)).toBeUndefined();
  });

  test("share the pacing of attempts: only one of several concurrent attempts is allowed, and each pause is twice the previous one", async () => {
    await using opened = await openStores(3);
    const { stores, url } = opened;
    const pace = { freeTries: 3, maxPauseS: 4, forgetAfterS: 3600 };
    const tryAll = async (): Promise<(number | undefined)[]> =>
      onAll(stores, 2, async (store) => store.attempts?.takePaced("anna", pace));
    const pass = (seconds: number) => postgres.query(`update attempts set expire = expire - ${seconds}`, url);
    const first = await tryAll();
    expect(first.filter((wait) => wait === undefined)).toHaveLength(3);
    const pauses: number[] = [];
    for (const pauseS of [1, 2, 4, 4]) {
      await pass(pauseS);
      const waits = (await tryAll()).filter((wait) => wait !== undefined);
      expect(waits).toHaveLength(5);
      pauses.push(Math.ceil(Math.max(...waits)));
    }
    expect(pauses).toEqual([2, 4, 4, 4]);
    // Giving back an attempt shortens the next pause.
    for (let n = 0; n < 5; n += 1) await stores[0]?.attempts?.giveBack("anna");
    expect(await stores[1]?.attempts?.takePaced("anna", pace)).toBeUndefined();
    // An hour after its last attempt, a key's attempts are counted from zero.
    await pass(3600);
    expect((await tryAll()).filter((wait) => wait === undefined)).toHaveLength(3);
  });

  test("forget expired attempts, and remove them from the table", async () => {
    await using opened = await openStores(1);
    const { stores, url } = opened;
    const [store] = stores;
    for (const key of ["a", "b", "c"]) await store?.attempts?.take(key, { points: 1, perS: 900 });
    await postgres.query("update attempts set expire = expire - 1000", url);
    expect(await store?.attempts?.take("a", { points: 1, perS: 900 })).toBeUndefined();
    await store?.attempts?.take("d", { points: 1, perS: 900 });
    expect(await postgres.query("select key from attempts order by 1", url)).toEqual([{ key: "a" }, { key: "d" }]);
  });
});

/** Listens to other processes' reports until it is disposed. */
async function listen(url: string) {
  const client = new Client({ connectionString: url });
  const heard: (string | undefined)[] = [];
  await client.connect();
  client.on("notification", ({ payload }) => heard.push(payload));
  await client.query("listen account_changes");
  return {
    async heard() {
      // The response to this query arrives after all notifications.
      await client.query("select 1");
      return heard;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

test("when a server restarts, it closes only the records of its own earlier starts", async () => {
  await using opened = await openStores(2);
  await using pages = await listen(opened.url);
  const [one, other] = opened.stores;
  if (one === undefined || other === undefined) throw new Error("Expected two stores.");
  await one.accounts.create(toAccount("account"), {});
  for (const [store, id] of [[one, "a"] as const, [other, "b"] as const])
    await addOpenBrowser(store.browsers, { id, accountId: "account", openedAt: NOW });
  const reservation = {
    browserId: "opening",
    accountId: "account",
    version: 0,
    kind: "chromium",
    isHeadless: true,
    tags: [],
    label: undefined,
  } as const;
  await one.browsers.reserve({ ...reservation, requestedAt: NOW, period: "2026-11" }, UNLIMITED);
  await using again = await openTestPostgresStore(opened.url, "worker-1");
  await addOpenBrowser(again.browsers, { id: "c", accountId: "account", openedAt: NOW });
  expect(await again.browsers.closeLost()).toBe(1);
  expect(await again.browsers.closeLost()).toBe(0);
  expect(await pages.heard()).toEqual(["- *"]);
  expect(await postgres.query(`select id, state from ${ALL_BROWSERS} order by 1`, opened.url)).toEqual([
    { id: "a", state: "closed" },
    { id: "b", state: "open" },
    { id: "c", state: "open" },
  ]);
});

test("workers register, report and leave; a worker without reports can be removed with its browsers", async () => {
  await using opened = await openStores(2);
  const [one, other] = opened.stores;
  const [first, second] = [one?.workers, other?.workers];
  if (one === undefined || first === undefined || second === undefined) throw new Error("Expected two registries.");
  const report = { version: "1.0.0", kinds: ["chromium"], plans: "12345678", capacity: 4, taken: 1, warm: 2 } as const;
  expect(await first.report(report)).toBeUndefined();
  expect([await first.register(report), await second.register(report)]).toEqual(["active", "active"]);
  expect(await second.want("worker-1", "cordoned")).toBe(true);
  expect(await second.want("unknown", "cordoned")).toBe(false);
  expect(await first.report({ ...report, taken: 3 })).toBe("cordoned");
  expect(await first.register(report)).toBe("cordoned");
  expect(await second.list()).toMatchObject([
    { id: "worker-1", wanted: "cordoned", isAlive: true, seenAt: expect.any(Date), ...report },
    { id: "worker-2", wanted: "active", isAlive: true },
  ]);
  await one.accounts.create(toAccount("account"), {});
  await addOpenBrowser(one.browsers, { id: "a", accountId: "account", openedAt: NOW });
  expect(await second.remove("worker-1")).toEqual({ is: "alive" });
  expect(await second.remove("unknown")).toEqual({ is: "unknown" });
  await postgres.query("update workers set lease_until = now() where id = 'worker-1'", opened.url);
  expect(await second.list()).toMatchObject([{ isAlive: false }, { isAlive: true }]);
  await using pages = await listen(opened.url);
  expect(await second.remove("worker-1")).toEqual({ is: "removed", browsers: 1 });
  expect(await pages.heard()).toEqual(["- *"]);
  expect(await first.report(report)).toBeUndefined();
  expect(await postgres.query("select reason, units from ended_browsers", opened.url)).toEqual([
    { reason: "lost", units: 1 },
  ]);
  expect(await one.usage.loads(["account"])).toEqual(new Map([["account", { version: 0, browsers: 0 }]]));
  await second.leave();
  expect(await second.list()).toEqual([]);
});

test("a cordon remains after a server leaves, but a drain doesn't", async () => {
  await using opened = await openStores(2);
  const [one, other] = opened.stores as [Store, Store];
  const [first, second] = [one.workers, other.workers];
  if (first === undefined || second === undefined) throw new Error("Expected two registries.");
  const report = { version: "1.0.0", kinds: ["chromium"], plans: "12345678", capacity: 4, taken: 1, warm: 2 } as const;
  await first.register({ ...report, fenceMs: 1000, phase: "stopping" });
  await second.want("worker-1", "cordoned");
  await first.leave();
  const [left] = await second.list();
  expect(left).toMatchObject({ wanted: "cordoned", isAlive: false, phase: "left", taken: 0, warm: 0, capacity: 4 });
  // With `fenceMs`, other servers would remove the entry after that time.
  expect(left?.fenceMs).toBeUndefined();
  expect(await first.register(report)).toBe("cordoned");
  expect((await second.list())[0]).not.toHaveProperty("phase");

  await second.want("worker-1", "draining");
  expect(await first.register(report)).toBe("active");
  expect(await first.leaveDrained()).toBe(false);
  await second.want("worker-1", "draining");
  expect(await first.leaveDrained()).toBe(true);
  expect(await second.list()).toEqual([]);
});

test("PostgreSQL's connection limit doesn't include reserved connections", async () => {
  await using opened = await openStores(1);
  const [row] = await postgres.query<{ all: number }>(
    "select current_setting('max_connections')::int as all",
    opened.url,
  );
  expect(await opened.stores[0]?.workers?.connectionLimit()).toBe((row?.all ?? 0) - 3);
});

test("front-ends can't be drained or cordoned, because they have no browsers", async () => {
  await using opened = await openStores(1);
  const registry = opened.stores[0]?.workers;
  await registry?.register({ role: "front", version: "1.0.0", kinds: [], plans: "", capacity: 0, taken: 0, warm: 0 });
  expect(await registry?.want("worker-1", "draining")).toBe(false);
});

test("secrets are stored sealed, and a new key replaces the old one for all secrets", async () => {
  await using opened = await openStores(1);
  const { url } = opened;
  const [store] = opened.stores as [Store];
  await store.accounts.create(toAccount("account"), {});
  await store.accounts.setProviderKey("account", newKeyBox(TEST_KEY, "The key").seal("sk-secret", "account"));
  await addOpenBrowser(store.browsers, { id: "open", accountId: "account", openedAt: NOW });
  await addOpenBrowser(store.browsers, { id: "closed", accountId: "account", openedAt: NOW });
  await store.browsers.close("closed", { at: NOW, reason: "requested", minutes: 1 });
  type Row = { id: string; key_hash: string; address: string | null };
  const read = () =>
    postgres.query<Row>(
      `select id, key_hash, address from browsers
        union all select id, key_hash, null from ended_browsers order by id`,
      url,
    );
  const before = await read();
  expect(before).toMatchObject([
    { id: "closed", address: null, key_hash: expect.stringMatching(/^[\w-]{22}$/) },
    { id: "open", address: expect.stringMatching(/^2:/) },
  ]);
  const both = newKeyBox(`${NEW_KEY}\n${TEST_KEY}`, "The keys");
  await using renewing = await openPostgresStore({ url, box: both, worker: "", instance: "" });
  expect(await renewing.rekey()).toEqual({ providerKeys: 1, addresses: 1 });
  expect(await renewing.rekey()).toEqual({ providerKeys: 0, addresses: 0 });
  const newBox = newKeyBox(NEW_KEY, "The new key");
  const [closed, open] = await read();
  expect(newBox.unseal(open?.address ?? "", "open")).toBe("ws://open");
  expect(open?.key_hash).not.toBe(before[1]?.key_hash);
  expect(closed).toEqual(before[0]);
  expect(newBox.unseal((await store.accounts.readProviderKey("account")) ?? "", "account")).toBe("sk-secret");
});
