import { expect, test } from "vitest";
import { expectExact } from "../../../../test/support/databases/exact.ts";
import { startPostgres } from "../../../../test/support/databases/postgres.ts";
import { newPostgresStore, openTestPostgresStore } from "../../../../test/support/databases/stores.ts";
import { toPeriod } from "../../../domain/plan/units.ts";
import type { Store } from "../../../ports/store/store.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const TRIES = 100_000;
/** Number of clients that open and close browsers, higher than the number of connections. */
const CLIENTS = 24;
const LIMITS = [1, 3, 3, 50];

test("in 100,000 attempts by two servers, no limit is exceeded and no deadlock occurs", async () => {
  await using postgres = await startPostgres();
  const { store: one, url } = await newPostgresStore(postgres, "worker-1");
  await using first = one;
  await using second = await openTestPostgresStore(url, "worker-2");
  const none = { plan: undefined, parallel: undefined, units: undefined, hasAdditionalUnits: false };
  const flags = { isDisabled: false, isOperator: false, createdAt: NOW, version: 0 };
  for (const index of LIMITS.keys())
    await first.accounts.create({ id: `account-${index}`, email: `${index}@example.com`, ...none, ...flags }, {});
  /** Browsers that are certainly open: between the Open response and the Close request. */
  const open = LIMITS.map(() => 0);
  let [tries, admitted, exceeded] = [0, 0, 0];

  const tryOnce = async ({ browsers }: Store, account: number, browserId: string): Promise<void> => {
    const parallel = LIMITS[account] ?? 0;
    const reservation = {
      browserId,
      accountId: `account-${account}`,
      version: 0,
      kind: "chromium",
      isHeadless: true,
      tags: [],
    } as const;
    const wanted = { ...reservation, label: undefined, requestedAt: NOW, period: toPeriod(NOW) };
    if ((await browsers.reserve(wanted, { parallel, units: undefined })) !== undefined) return;
    admitted += 1;
    if (admitted % 7 === 0) return browsers.cancel(browserId);
    await browsers.commitOpen(browserId, `ws://${browserId}`, NOW);
    open[account] = (open[account] ?? 0) + 1;
    if ((open[account] ?? 0) > parallel) exceeded += 1;
    await browsers.charge([{ browserId, minutes: 2 }]);
    open[account] = (open[account] ?? 0) - 1;
    await browsers.close(browserId, { at: NOW, reason: "requested", minutes: 3 });
  };
  const client = async (index: number): Promise<void> => {
    while (tries < TRIES) {
      tries += 1;
      await tryOnce(index % 2 === 0 ? first : second, tries % LIMITS.length, `b${tries}`);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  expect(exceeded).toBe(0);
  expect(admitted).toBeGreaterThan(TRIES / 10);
  const [{ deadlocks } = { deadlocks: undefined }] = await postgres.query<{ deadlocks: number }>(
    "select sum(deadlocks)::int as deadlocks from pg_stat_database",
  );
  expect(deadlocks).toBe(0);
  await expectExact((sql) => postgres.query(sql, url));
}, 900_000);
