import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAccount } from "../../../../test/support/servers/cluster-rig.ts";
import { expectExact } from "../../../../test/support/databases/exact.ts";
import { type Postgres, startPostgres } from "../../../../test/support/databases/postgres.ts";
import { UNLIMITED } from "../../../../test/support/browsers/stored-browser.ts";
import { until } from "../../../../test/support/until.ts";
import { newPostgresStore, TEST_BOX, TEST_KEY } from "../../../../test/support/databases/stores.ts";
import type { BrowserDetails, WorkerInstance } from "../../../ports/store/fleet-store.ts";
import { type Store, StoreUnavailable } from "../../../ports/store/store.ts";
import { newKeyBox } from "../../aes-gcm/file-key-box.ts";
import { rekeyColumn } from "../rekey.ts";
import type { Tables } from "../schema.ts";
import { newBrowserStore } from "./browsers.ts";
import { newFleetStore } from "./fleet.ts";
import { newPostgresDialect } from "./connection/pool.ts";
import { newServerRegistry } from "./workers.ts";

const NOW = new Date("2026-11-30T23:58:30.000Z");
const FACTS = { version: 0, kind: "chromium", isHeadless: true, requestedAt: NOW, period: "2026-11" } as const;
const DETAILS: BrowserDetails = {
  proxyHost: "proxy.example.com",
  hasScreen: true,
  desktopPassword: "secret",
  clients: 2,
  due: { at: NOW, reason: "inactive" },
  keepOpenMs: 30_000,
  lifetimeMs: 60_000,
  traffic: { sent: 1, received: 2 },
};
const REPORT = { version: "1", kinds: [], plans: "0", capacity: 1, taken: 0, warm: 0 };
const [FRONT, ONE, RESTARTED, TWO] = [
  { worker: "front", instance: "1" },
  { worker: "one", instance: "1" },
  { worker: "one", instance: "2" },
  { worker: "two", instance: "1" },
] as const;
const PLACES: readonly WorkerInstance[] = [FRONT, ONE, RESTARTED, TWO];

let postgres: Postgres;
let url: string;
let store: Store;
let db: Kysely<Tables>;
let made = 0;
beforeAll(async () => {
  postgres = await startPostgres();
  ({ store, url } = await newPostgresStore(postgres));
  db = new Kysely({
    dialect: newPostgresDialect({ url, maxConnections: 2, connectTimeoutMs: 20_000, queryTimeoutMs: 0 }),
  });
  for (const id of ["anna", "ben"]) await store.accounts.create(toAccount(id), {});
});
afterAll(async () => {
  await db.destroy();
  await store[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** A process's store. */
function at(place: WorkerInstance) {
  return { ...newBrowserStore(db, TEST_BOX, place), ...newFleetStore(db, TEST_BOX, place) };
}

/** Reserves a browser and assigns it to a process. @returns The browser's id. */
async function reserve(place: WorkerInstance | undefined, accountId = "anna"): Promise<string> {
  const browserId = `browser-${String((made += 1)).padStart(4, "0")}`;
  const reservation = { ...FACTS, browserId, accountId, label: "news", tags: ["a", "b"], workerInstance: place };
  expect(await at(FRONT).reserve(reservation, UNLIMITED)).toBeUndefined();
  return browserId;
}

const toAddress = (id: string): string => `ws://127.0.0.1/devtools/browser/${id.padEnd(30, "-")}`;

/** Opens a browser in a process. @returns The browser's id. */
async function open(place: WorkerInstance, accountId?: string): Promise<string> {
  const id = await reserve(place, accountId);
  await at(place).commitOpen(id, toAddress(id), NOW);
  return id;
}

const query = <Row>(text: string): Promise<Row[]> => postgres.query<Row>(text, url);

test("a browser is opened only by its last attempt, only in the process assigned to it, and only once", async () => {
  const [place, off] = [fc.constantFrom(...PLACES), fc.constantFrom(0, 0, 0, -1, 1)];
  const move = fc.record({ to: place, off });
  /** A commit by the browser's own process (null) or by a given process. */
  const commit = fc.record({ by: fc.option(place), off });
  const steps = fc.array(fc.oneof(move, commit), { minLength: 4, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const id = await reserve(undefined);
      const row = { attempt: 1, place: FRONT as WorkerInstance, isOpen: false };
      let wrong = 0;
      for (const step of all) {
        const attempt: number = row.attempt + step.off;
        const isTurn = !row.isOpen && attempt === row.attempt;
        if ("to" in step) {
          wrong += Number((await at(FRONT).moveTo(id, attempt, step.to)) !== isTurn);
          if (isTurn) Object.assign(row, { attempt: row.attempt + 1, place: step.to });
        } else {
          const by = step.by ?? row.place;
          const isRefused = await at(by)
            .commitOpen(id, toAddress(id), NOW, attempt)
            .then(
              () => false,
              (error: unknown) => error instanceof StoreUnavailable,
            );
          wrong += Number(isRefused === (isTurn && by === row.place));
          row.isOpen ||= !isRefused;
        }
      }
      expect(wrong).toBe(0);
      await at(FRONT).giveUp(id);
      expect(await query(`select state, worker, instance, attempt from browsers where id = '${id}'`)).toEqual(
        row.isOpen ? [{ state: "open", ...row.place, attempt: row.attempt }] : [],
      );
      await at(row.place).cancel(id, row.attempt);
    }),
    { numRuns: 60 },
  );
  await expectExact(query);
});

test("a failed attempt only deletes its own browser, not one that belongs to a later attempt or another process", async () => {
  const [moved, opened] = [await reserve(ONE), await open(ONE)];
  await at(FRONT).moveTo(moved, 1, TWO);
  await at(ONE).cancel(moved, 1);
  await at(ONE).giveUp(moved, 1);
  for (const [server, attempt] of [
    [RESTARTED, 1],
    [TWO, 1],
    [ONE, 2],
  ] as const)
    await at(server).cancel(opened, attempt);
  expect(await query("select id from browsers order by id")).toEqual([{ id: moved }, { id: opened }]);
  await at(ONE).cancel(opened, 1);
  await at(TWO).giveUp(moved, 2);
  expect(await query("select id from browsers")).toEqual([]);
  expect(await query("select sum(opening + open) as all, sum(units) as units from account_load")).toEqual([
    { all: "0", units: "0" },
  ]);
  await expectExact(query);
});

test("an account can list its browsers, and find them by id or address, with their worker's details", async () => {
  const [id, another] = [await open(ONE), await open(TWO, "ben")];
  await reserve(ONE);
  await at(ONE).describe(new Map([id, another].map((each) => [each, DETAILS])));
  const [stored, ...others] = await at(FRONT).list("anna");
  expect(stored).toEqual({
    ...{ id, ...ONE, accountId: "anna", address: toAddress(id), openedAt: NOW, kind: "chromium" },
    ...{ isHeadless: true, label: "news", tags: ["a", "b"], details: DETAILS },
  });
  expect(others).toEqual([]);
  expect((await at(FRONT).list(undefined)).map((each) => [each.id, each.details])).toEqual([
    [id, DETAILS],
    // Only a browser's own worker can describe it.
    [another, undefined],
  ]);
  for (const selector of [{ id }, { address: toAddress(id) }]) {
    expect(await at(TWO).find("anna", selector)).toEqual(stored);
    expect(await at(TWO).find("ben", selector)).toBeUndefined();
  }
  expect(await at(FRONT).find("anna", { address: "ws://127.0.0.1/other" })).toBeUndefined();
  expect(JSON.stringify(await query("select * from browsers"))).not.toMatch(/proxy\.example|secret|devtools/);
});

test("a worker finds the browsers to close and its own rows, including rows from earlier starts", async () => {
  const [id, earlier, of] = [await open(RESTARTED), await open(ONE), await open(TWO)];
  const opening = await reserve(RESTARTED);
  const unwanted = await open(RESTARTED);
  for (const each of [id, opening, of]) await at(FRONT).wantClosed(each);
  expect(await at(RESTARTED).findWantedClosed()).toEqual([id]);
  await at(RESTARTED).cancel(unwanted, 1);
  const own = (await at(RESTARTED).listOwn()).filter((row) => [id, earlier, of, opening].includes(row.id));
  expect(own.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id, isOpen: true },
    { id: earlier, isOpen: true },
    { id: opening, isOpen: false },
  ]);
  expect((await at(RESTARTED).listAttempts()).find((row) => row.id === opening)).toEqual({ id: opening, attempt: 1 });
  expect((await at(TWO).listAttempts()).find((row) => row.id === opening)).toBeUndefined();
});

test("details are encrypted with a new key, except details that a worker writes at the same time", async () => {
  const [id, busy] = [await open(ONE), await open(ONE)];
  await at(ONE).describe(new Map([id, busy].map((each) => [each, DETAILS])));
  const newKey = randomBytes(32).toString("base64url");
  const writing = await db.startTransaction().execute();
  await newFleetStore(writing, TEST_BOX, ONE).describe(new Map([[busy, { ...DETAILS, clients: 3 }]]));
  const rekeyed = rekeyColumn(db, newKeyBox(`${newKey}\n${TEST_KEY}`, "The keys"), "browsers", "id", "details");
  await until(
    () => query("select pid from pg_locks where not granted"),
    (waiting) => waiting.length > 0,
  );
  await writing.commit().execute();
  await rekeyed;
  const sealed = await query<{ id: string; details: string }>("select id, details from browsers");
  const readWith = (key: string, browserId: string): unknown => {
    const details = sealed.find((row) => row.id === browserId)?.details;
    return JSON.parse(newKeyBox(key, "The key").unseal(details ?? "", browserId));
  };
  expect(readWith(newKey, id)).toMatchObject({ clients: 2 });
  expect(readWith(TEST_KEY, busy)).toMatchObject({ clients: 3 });
});

test("a server closes its remaining records as it leaves, and an unlisted server's are closed later", async () => {
  const [leaving, present] = [
    { worker: "leaving", instance: "1" },
    { worker: "present", instance: "1" },
  ];
  const registry = newServerRegistry({ db, reports: db }, leaving);
  const stateOf = async (id: string): Promise<unknown> =>
    (await db.selectFrom("ended_browsers").select("reason").where("id", "=", id).executeTakeFirst())?.reason ??
    (await db.selectFrom("browsers").select("state").where("id", "=", id).executeTakeFirst())?.state;
  await registry.register({ ...REPORT, role: "worker" });
  const [own, other, placed] = [await open(leaving), await open(present), await reserve(leaving)];
  await registry.leave();
  expect(await Promise.all([own, other, placed].map(stateOf))).toEqual(["lost", "open", "opening"]);
  await newServerRegistry({ db, reports: db }, present).register(REPORT);
  await sql`update browsers set requested_at = '2026-01-01T00:00:00.000Z'`.execute(db);
  await registry.removeStrays();
  expect(await Promise.all([other, placed].map(stateOf))).toEqual(["open", undefined]);
  await expectExact(query);
});

test("a server closes the records of its earlier starts, but not of a later start with the same id", async () => {
  const [before, own, copy] = ["1", "2", "3"].map((instance) => ({ worker: "copied", instance }));
  if (before === undefined || own === undefined || copy === undefined) throw new Error("There are three.");
  await newServerRegistry({ db, reports: db }, before).register(REPORT);
  await open(before);
  await newServerRegistry({ db, reports: db }, copy).register(REPORT);
  const kept = await open(copy);
  expect(await newBrowserStore(db, TEST_BOX, own).closeLost()).toBe(1);
  expect(await at(FRONT).find("anna", { id: kept })).toBeDefined();
  await newServerRegistry({ db, reports: db }, own).register(REPORT);
  expect(await newBrowserStore(db, TEST_BOX, own).closeLost()).toBe(1);
  await expectExact(query);
});

test("removing a worker doesn't deadlock with charges to the same accounts", async () => {
  for (let round = 0; round < 20; round += 1) {
    const dead = { worker: "dead", instance: String(round) };
    const registry = newServerRegistry({ db, reports: db }, dead);
    await registry.register({ ...REPORT, role: "worker" });
    const charged = [await open(TWO, "anna"), await open(TWO, "ben")];
    await reserve(dead, "ben");
    await open(dead, "anna");
    await sql`update workers set lease_until = now()`.execute(db);
    const started = charged.map((browserId) => ({ browserId, minutes: 2 }));
    await Promise.all([registry.remove("dead"), at(TWO).charge(started)]);
    await Promise.all(charged.map((id) => newBrowserStore(db, TEST_BOX, TWO).cancel(id)));
  }
  await expectExact(query);
});

test("a worker is removed together with its browsers, or not at all", async () => {
  const full = { worker: "full", instance: "1" };
  const registry = newServerRegistry({ db, reports: db }, full);
  await registry.register({ ...REPORT, role: "worker" });
  const id = await open(full);
  await sql`update workers set lease_until = now()`.execute(db);
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no space''; end'`.execute(
    db,
  );
  await sql`create trigger refuse before insert on ended_browsers execute function refuse()`.execute(db);
  await expect(registry.remove("full")).rejects.toThrow("no space");
  await sql`drop trigger refuse on ended_browsers`.execute(db);
  expect((await registry.list()).map(({ id: each }) => each)).toContain("full");
  expect(await registry.remove("full")).toEqual({ is: "removed", browsers: 1 });
  expect(await at(FRONT).find("anna", { id })).toBeUndefined();
  expect(await registry.remove("full")).toEqual({ is: "unknown" });
});
