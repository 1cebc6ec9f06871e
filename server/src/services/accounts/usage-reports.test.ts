import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { addOpenBrowser } from "../../../test/support/browsers/stored-browser.ts";
import { addEndedBrowsers } from "../../../../bench/src/subjects/databases/ended-browsers.ts";
import { openTestStore } from "../../../test/support/databases/stores.ts";
import type { Account } from "../../domain/account/account.ts";
import { SELF_HOSTED } from "../../domain/plan/plan.ts";
import type { Store } from "../../ports/store/store.ts";
import type { EndedBrowser } from "../../ports/store/usage-store.ts";
import { UsageReports } from "./usage-reports.ts";

const NOW = "2026-11-03T02:30:00.000Z";
const SMALL = { ...SELF_HOSTED, name: "small", parallel: 2, unitsPerMonth: 100 };
const PLANS = new Map([SELF_HOSTED, SMALL].map((plan) => [plan.name, plan]));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rbs-reports-"));
});
afterAll(() => rm(folder, { recursive: true }));

function toAccount(id: string, terms: Partial<Account> = {}): Account {
  const none = { plan: "small", parallel: undefined, units: undefined };
  const flags = { hasAdditionalUnits: false, isDisabled: false, isOperator: false, version: 0 };
  return { id, email: `${id}@example.com`, ...none, ...flags, createdAt: new Date("2026-01-01"), ...terms };
}

const ME = toAccount("me");
const OTHER = toAccount("other");

let files = 0;
async function newRig() {
  const file = join(folder, `${(files += 1)}.sqlite`);
  const store = await openTestStore(file);
  for (const account of [ME, OTHER]) await store.accounts.create(account, {});
  const clock = new FakeClock(NOW);
  const reports = new UsageReports({ store: store.usage, plans: PLANS, capacity: { limit: 7 }, clock });
  return { file, store, reports, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}

/** Adds a browser that was open from `from` to `to`, or is still open if `to` is undefined. */
async function live({ browsers }: Store, id: string, from: string, to?: string, account = ME): Promise<void> {
  await addOpenBrowser(browsers, { id, accountId: account.id, openedAt: new Date(from), label: id });
  if (to !== undefined) await browsers.close(id, { at: new Date(to), reason: "requested", minutes: 1 });
}

/** Returns all browsers that ended in October. */
async function readAll(reports: UsageReports): Promise<EndedBrowser[]> {
  const all: EndedBrowser[] = [];
  for await (const batch of reports.endedIn(ME, "2026-10")) all.push(...batch);
  return all;
}

test("a month's report includes all of its days, and peaks for all hours up to now", async () => {
  await using rig = await newRig();
  await live(rig.store, "a", "2026-11-01T00:10:00Z", "2026-11-01T01:00:00Z");
  await live(rig.store, "b", "2026-11-01T00:20:00Z", "2026-11-01T02:00:01Z");
  await live(rig.store, "c", "2026-11-03T01:59:00Z");
  await live(rig.store, "of another", "2026-11-01T00:00:00Z", undefined, OTHER);
  const { days, peaks, dailyPeaks, units, openBrowsers, isCurrent } = await rig.reports.month(ME, "2026-11");
  expect([units, openBrowsers, isCurrent]).toEqual([3, 1, true]);
  expect(days).toHaveLength(30);
  expect(days.filter((day) => day.units > 0)).toEqual([
    { day: "2026-11-01", units: 2 },
    { day: "2026-11-03", units: 1 },
  ]);
  expect(peaks).toHaveLength(2 * 24 + 3);
  expect([peaks.slice(0, 4), peaks.slice(-3)]).toEqual([
    [2, 1, 1, 0],
    [0, 1, 1],
  ]);
  expect(dailyPeaks).toEqual([
    { day: "2026-11-01", peak: 2 },
    { day: "2026-11-02", peak: 0 },
    { day: "2026-11-03", peak: 1 },
  ]);
});

test("a browser that was open at the end of a month counts toward the peaks of both months", async () => {
  await using rig = await newRig();
  await live(rig.store, "a", "2026-10-31T23:30:00Z", "2026-11-01T00:30:00Z");
  await live(rig.store, "before", "2026-10-01T00:00:00Z", "2026-10-31T22:00:00Z");
  const [october, november] = [await rig.reports.month(ME, "2026-10"), await rig.reports.month(ME, "2026-11")];
  expect([october.peaks.length, october.peaks.at(-1), november.peaks[0], november.peaks[1]]).toEqual([
    31 * 24,
    1,
    1,
    0,
  ]);
  expect([october.isCurrent, november.isCurrent]).toEqual([false, true]);
});

test.each([
  ["the plan", {}, 100, 2],
  ["the account, if it overrides the plan's limits", { units: 5, parallel: 4 }, 5, 4],
  ["the machine, if the plan has no limits", { plan: SELF_HOSTED.name }, undefined, 7],
])("an account's limits come from %s", async (_whose, terms, unitsPerMonth, parallel) => {
  await using rig = await newRig();
  const report = await rig.reports.month(toAccount("me", terms), "2026-11");
  expect([report.allowance.plan?.unitsPerMonth, report.parallel]).toEqual([unitsPerMonth, parallel]);
});

test("the report for an account without a plan has no subscription", async () => {
  await using rig = await newRig();
  expect((await rig.reports.month(toAccount("me", { plan: undefined }), "2026-11")).allowance.plan).toBeUndefined();
});

test("endedIn yields each of the account's browsers once and in order", async () => {
  await using rig = await newRig();
  const { file, store, reports } = rig;
  const count = 2500;
  addEndedBrowsers({ file, accountId: ME.id, period: "2026-10", count });
  addEndedBrowsers({ file, accountId: OTHER.id, period: "2026-10", count: 10 });
  // Browsers that end at the same time are sorted by id, even across batches.
  const edge = (await readAll(reports))[997]?.closedAt.toISOString();
  for (let index = 0; index < 5; index += 1) await live(store, `same-${index}`, "2026-10-01T00:00:00Z", edge);
  await live(store, "too early", "2026-09-30T23:59:00.000Z", "2026-09-30T23:59:59.999Z");
  await live(store, "too late", "2026-10-31T23:59:00.000Z", "2026-11-01T00:00:00.000Z");
  const all = await readAll(reports);
  expect(all).toHaveLength(count + 5);
  const ids = all.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith("too") || id.startsWith("other"))).toEqual([]);
  expect(all.map(({ closedAt }) => closedAt)).toEqual(all.map(({ closedAt }) => closedAt).toSorted((a, b) => +a - +b));
  const units = all.reduce((sum, browser) => sum + browser.units, 0);
  // The only unit of the browser that ended in November was charged in October.
  expect(units).toBe((await store.usage.month(ME.id, "2026-10")).units - 1);
});

test("paging through the history shows each browser once", async () => {
  await using rig = await newRig();
  addEndedBrowsers({ file: rig.file, accountId: ME.id, period: "2026-10", count: 12 });
  addEndedBrowsers({ file: rig.file, accountId: OTHER.id, period: "2026-10", count: 12 });
  const seen: string[] = [];
  let page = await rig.reports.ended(ME, undefined, 5);
  for (;;) {
    seen.push(...page.browsers.map(({ id }) => id));
    if (!page.hasMore) break;
    page = await rig.reports.ended(ME, page.browsers.at(-1), 5);
  }
  expect(seen).toEqual(Array.from({ length: 12 }, (_, index) => `me-2026-10-${11 - index}`));
});

test("the last page can be a full page", async () => {
  await using rig = await newRig();
  addEndedBrowsers({ file: rig.file, accountId: ME.id, period: "2026-10", count: 5 });
  expect(await rig.reports.ended(ME, undefined, 5)).toMatchObject({ hasMore: false });
});
