import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addOpenBrowser } from "../../../test/support/stored-browser.ts";
import { minuteStart } from "../../domain/account/units.ts";
import type { Store } from "../../ports/store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** Charged browsers pass from one month into the next. */
const OPENED = new Date("2026-11-30T23:30:00.000Z");
const MINUTES = 150;
/** More minutes than a process can charge before it is killed. */
const ENDLESS = 10_000;
const BROWSERS = ["a", "b", "c"];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-ledger-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Charges all minutes of the browsers in turn, as fast as it can, and prints each written one with its units. */
const CHARGE = `
  const { writeSync } = await import("node:fs");
  const [, storeModule, unitsModule, file, opened, minutes, ...browsers] = process.argv;
  const { openSqliteStore } = await import(storeModule);
  const { minuteStart, toPeriod } = await import(unitsModule);
  await using store = await openSqliteStore(file);
  for (let minute = 1; minute < Number(minutes); minute += 1) {
    const startedAt = minuteStart(new Date(opened), minute);
    for (const browserId of browsers) {
      const units = await store.browsers.charge({ browserId, minute, period: toPeriod(startedAt), startedAt });
      // process.stdout would keep what a busy reader has not taken, and a killed process loses that.
      writeSync(1, JSON.stringify({ browserId, minute, units }) + "\\n");
    }
  }
`;

type Minute = { readonly browser_id: string; readonly minute: number };
type Charged = { readonly browserId: string; readonly minute: number; readonly units: number };

/** A process that charges. Its output is complete when it has ended. */
function startCharging(
  file: string,
  browsers: readonly string[],
  minutes: number,
  onCharged: (charge: Charged, child: ChildProcess) => void,
) {
  const modules = ["./sqlite-store.ts", "../../domain/account/units.ts"].map((path) => import.meta.resolve(path));
  const given = [...modules, file, OPENED.toISOString(), String(minutes), ...browsers];
  const child = spawn(process.execPath, ["--input-type=module", "-e", CHARGE, ...given], {
    stdio: ["ignore", "pipe", "inherit"],
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
  const store = await openSqliteStore(file);
  const terms = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const flags = { isDisabled: false, isOperator: false, createdAt: OPENED };
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

/** Checks that the daily sums match the ledger. */
function expectExact(file: string): void {
  expect(query(file, "select account_id, day, units from daily_usage order by 1, 2")).toEqual(
    query(
      file,
      "select account_id, substr(started_at, 1, 10) as day, count(*) as units from ledger group by 1, 2 order by 1, 2",
    ),
  );
  expect(query(file, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
}

describe("a process that is killed while it charges", () => {
  test.each([1, 40, 400])("has written all minutes that it printed, %d and more, each completely", async (before) => {
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

    const rows = query<Minute>(file, "select browser_id, minute from ledger where minute > 0 order by rowid");
    const said = charged.map(({ browserId, minute }) => ({ browser_id: browserId, minute }));
    expect(rows.slice(0, said.length)).toEqual(said);
    // It may have written one more minute before it could print it.
    expect(rows.length - said.length).toBeLessThanOrEqual(1);
    expectExact(file);

    expect(await store.browsers.closeLost()).toBe(BROWSERS.length);
    for (const id of BROWSERS) {
      const last = Math.max(0, ...rows.filter((row) => row.browser_id === id).map(({ minute }) => minute));
      expect(query(file, `select closed_at, reason from browsers where id = '${id}'`)).toEqual([
        { closed_at: minuteStart(OPENED, last).toISOString(), reason: "lost" },
      ]);
    }
  });
});

describe("two processes that charge the same minutes", () => {
  test("add each minute once, to the month that it starts in", async () => {
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

  test("lose nothing when one of them is killed", async () => {
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
    expect(query(file, `select count(*) as units from ledger where minute < ${MINUTES}`)).toEqual([
      { units: MINUTES * BROWSERS.length },
    ]);
    const keys = new Set(
      query<Minute>(file, "select browser_id, minute from ledger").map((row) => `${row.browser_id} ${row.minute}`),
    );
    expect(charged.filter(({ browserId, minute }) => !keys.has(`${browserId} ${minute}`))).toEqual([]);
    expectExact(file);
  });
});

describe("the ledger", () => {
  test.each([
    "update ledger set minute = 7",
    "update ledger set period = '2026-01' where browser_id = 'a'",
    "delete from ledger",
  ])("refuses `%s` from any process", async (sql) => {
    const file = join(folder, `refuses-${sql.length}.sqlite`);
    await using store = await newStore(file);
    await openBrowsers(store, BROWSERS);
    const before = query(file, "select * from ledger");
    expect(() => query(file, sql)).toThrow(/append-only/);
    expect(query(file, "select * from ledger")).toEqual(before);
  });

  test("stays the same when its account is erased", async () => {
    const file = join(folder, "erased.sqlite");
    await using store = await newStore(file);
    await openBrowsers(store, BROWSERS);
    const before = query(file, "select * from ledger");
    await store.accounts.erase("account", OPENED);
    expect(query(file, "select * from ledger")).toEqual(before);
    expectExact(file);
  });
});
