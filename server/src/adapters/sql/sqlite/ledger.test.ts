import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_BROWSERS, addOpenBrowser } from "../../../../test/support/browsers/stored-browser.ts";
import { minuteStart } from "../../../domain/plan/units.ts";
import type { Store } from "../../../ports/store/store.ts";
import { openTestStore } from "../../../../test/support/databases/stores.ts";
import { HAS_VARIANTS, variant } from "../../../../test/support/variants.ts";

/** The charged minutes span the end of a month. */
const OPENED = new Date("2026-11-30T23:30:00.000Z");
const MINUTES = HAS_VARIANTS ? 150 : 60;
/** More minutes than a process can charge before it is killed. */
const ENDLESS = 10_000;
const BROWSERS = ["a", "b", "c"];

/** A cache of compiled modules, which halves the time that a process needs to start. */
const COMPILED = fileURLToPath(new URL("../../../../../node_modules/.cache/compiled", import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-ledger-"));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Charges each browser in turn, minute by minute, as fast as possible, and prints each charge with the units it added.
 */
const CHARGE = `
  const { writeSync } = await import("node:fs");
  const [, storeModule, file, last, ...browsers] = process.argv;
  const { openTestStore } = await import(storeModule);
  await using store = await openTestStore(file);
  for (let minutes = 2; minutes <= Number(last); minutes += 1) {
    for (const browserId of browsers) {
      const units = await store.browsers.charge([{ browserId, minutes }]);
      // process.stdout would buffer lines for a busy reader, which a killed process loses.
      writeSync(1, JSON.stringify({ browserId, minutes, units }) + "\\n");
    }
  }
`;

type Charged = { readonly browserId: string; readonly minutes: number; readonly units: number };

/** Starts a process that charges minutes. Its output is complete once `ended` resolves. */
function startCharging(
  file: string,
  browsers: readonly string[],
  minutes: number,
  onCharged: (charge: Charged, child: ChildProcess) => void,
) {
  const given = [
    import.meta.resolve("../../../../test/support/databases/stores.ts"),
    file,
    String(minutes),
    ...browsers,
  ];
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHARGE, ...given], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  const charged: Charged[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    const charge = JSON.parse(line) as Charged;
    charged.push(charge);
    onCharged(charge, child);
  });
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as unknown,
    signal: signal as unknown,
    charged,
  }));
  return { child, ended };
}

async function openBrowsers(store: Store, browsers: readonly string[]): Promise<void> {
  for (const id of browsers) await addOpenBrowser(store.browsers, { id, accountId: "account", openedAt: OPENED });
}

async function newStore(file: string): Promise<Store> {
  const store = await openTestStore(file);
  const terms = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const flags = { isDisabled: false, isOperator: false, version: 0, createdAt: OPENED };
  const account = { id: "account", email: "someone@example.com", ...terms, ...flags };
  await store.accounts.create(account, {});
  return store;
}

function query<Row>(file: string, sql: string): Row[] {
  const database = new DatabaseSync(file);
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row })) as Row[];
  } finally {
    database.close();
  }
}

function readCharged(file: string): Map<string, number> {
  const rows = query<{ id: string; charged: number }>(file, `select id, charged from ${ALL_BROWSERS}`);
  return new Map(rows.map(({ id, charged }) => [id, charged]));
}

/** Checks that all sums match the browsers' charged minutes. */
function expectExact(file: string): void {
  const charged = query(file, `select account_id, sum(charged) as units from ${ALL_BROWSERS} group by 1`);
  expect(query(file, "select account_id, sum(units) as units from daily_usage group by 1")).toEqual(charged);
  const latest = "(select max(substr(day, 1, 7)) from daily_usage)";
  expect(query(file, "select period, units from account_load")).toEqual(
    query(file, `select ${latest} as period, sum(units) as units from daily_usage where substr(day, 1, 7) = ${latest}`),
  );
  expect(query(file, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
}

describe("a process that is killed while charging", () => {
  test.each(HAS_VARIANTS ? [1, 40, 400] : [40])(
    "has committed every minute it printed (at least %d)",
    async (before) => {
      const file = join(folder, `killed-${before}.sqlite`);
      await using store = await newStore(file);
      await openBrowsers(store, BROWSERS);
      let heard = 0;
      const { ended } = startCharging(file, BROWSERS, ENDLESS, (_said, child) => {
        heard += 1;
        if (heard === before) child.kill("SIGKILL");
      });
      const { signal, charged } = await ended;
      expect(signal).toBe("SIGKILL");

      const written = readCharged(file);
      expect(charged.filter(({ browserId, minutes }) => minutes > (written.get(browserId) ?? 0))).toEqual([]);
      // The process may have written one more minute without printing it.
      const sum = [...written.values()].reduce((total, minutes) => total + minutes - 1, 0);
      expect(sum - charged.length).toBeOneOf([0, 1]);
      expectExact(file);

      expect(await store.browsers.closeLost()).toBe(BROWSERS.length);
      for (const [id, minutes] of written) {
        expect(query(file, `select closed_at, reason, units from ended_browsers where id = '${id}'`)).toEqual([
          { closed_at: minuteStart(OPENED, minutes - 1).toISOString(), reason: "lost", units: minutes },
        ]);
      }
      expectExact(file);
      expect(
        query(file, "select account_id, day, sum(units) as units from ledger group by 1, 2 order by 1, 2"),
      ).toEqual(query(file, "select account_id, day, units from daily_usage order by 1, 2"));
    },
  );
});

describe("two processes that charge the same minutes", () => {
  test("add each minute once, to the month in which it starts", async () => {
    const file = join(folder, "both.sqlite");
    await using store = await newStore(file);
    await openBrowsers(store, BROWSERS);
    const both = [
      startCharging(file, BROWSERS, MINUTES, () => {}),
      startCharging(file, BROWSERS.toReversed(), MINUTES, () => {}),
    ];
    const ends = await Promise.all(both.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    const brought = ends.flatMap(({ charged }) => charged).reduce((sum, { units }) => sum + units, 0);
    expect(brought).toBe(BROWSERS.length * (MINUTES - 1));
    expectExact(file);
    const inNovember = 30 * BROWSERS.length;
    expect(await store.usage.month("account", "2026-11")).toMatchObject({ units: inNovember });
    expect(await store.usage.month("account", "2026-12")).toMatchObject({
      units: MINUTES * BROWSERS.length - inNovember,
    });
  });

  variant("lose no minutes when one of them is killed", async () => {
    const file = join(folder, "one-killed.sqlite");
    await using store = await newStore(file);
    await openBrowsers(store, BROWSERS);
    let heard = 0;
    const killed = startCharging(file, BROWSERS, ENDLESS, (_said, child) => {
      heard += 1;
      if (heard === 60) child.kill("SIGKILL");
    });
    const other = startCharging(file, BROWSERS, MINUTES, () => {});
    const { signal, charged } = await killed.ended;
    expect([signal, (await other.ended).code]).toEqual(["SIGKILL", 0]);
    const written = readCharged(file);
    expect(Math.min(...written.values())).toBeGreaterThanOrEqual(MINUTES);
    expect(charged.filter(({ browserId, minutes }) => minutes > (written.get(browserId) ?? 0))).toEqual([]);
    expectExact(file);
  });
});

describe("the ledger", () => {
  async function closeBrowsers(store: Store): Promise<void> {
    for (const id of BROWSERS) await store.browsers.close(id, { at: OPENED, reason: "requested", minutes: 40 });
  }

  test.each([
    "update ledger set units = 7",
    "update ledger set day = '2026-01-01' where browser_id = 'a'",
    "delete from ledger",
  ])("refuses `%s` from any process", async (sql) => {
    const file = join(folder, `refuses-${sql.length}.sqlite`);
    await using store = await newStore(file);
    await openBrowsers(store, BROWSERS);
    await closeBrowsers(store);
    const before = query(file, "select * from ledger");
    expect(before).toHaveLength(2 * BROWSERS.length);
    expect(() => query(file, sql)).toThrow(/append-only/);
    expect(query(file, "select * from ledger")).toEqual(before);
  });

  test("doesn't change when its account is erased", async () => {
    const file = join(folder, "erased.sqlite");
    await using store = await newStore(file);
    await openBrowsers(store, BROWSERS);
    await closeBrowsers(store);
    const before = query(file, "select * from ledger");
    await store.accounts.erase("account", OPENED);
    expect(query(file, "select * from ledger")).toEqual(before);
    expectExact(file);
  });
});
