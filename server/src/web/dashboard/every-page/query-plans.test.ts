import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { startFakeService } from "../../../../test/support/fake-service.ts";
import { addEndedBrowsers } from "../../../../../bench/src/subjects/ended-browsers.ts";
import { signIn, signUp } from "../../../../test/support/page-user.ts";
import { openTestStore } from "../../../../test/support/stores.ts";

const MONTH = "2024-02";

/** Pages for users and operators, and requests of programs. */
const PAGES = [
  "/dashboard",
  "/dashboard/open",
  "/dashboard/history",
  "/dashboard/history?label=crawl+of+shop+1&tag=nightly",
  "/dashboard/usage",
  `/dashboard/usage?month=${MONTH}`,
  `/dashboard/usage.csv?month=${MONTH}`,
  `/dashboard/browsers.csv?month=${MONTH}`,
  "/dashboard/tokens",
  "/dashboard/settings",
  "/dashboard/quick-start",
  "/operator",
  "/operator?search=no-such-account",
  "/operator/accounts/new",
];

afterEach(() => vi.restoreAllMocks());

test("no query of pages, Open or Close scans a whole table, except the search for accounts", async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  // Migrations may scan tables.
  await (await openTestStore(":memory:"))[Symbol.asyncDispose]();
  const ofMigrations = new Set(prepare.mock.calls.map(([sql]) => sql));
  await using fake = await startFakeService();
  const other = await signUp(fake.service.url);
  const { email, password = "" } = fake.service.firstAccount ?? { email: "" };
  const user = await signIn(fake.service.url, email, password);
  // Enough rows for a second page.
  addEndedBrowsers({ file: fake.database, accountId: fake.accountIdOf(email), period: MONTH, count: 1200 });
  addAccounts(fake.database, 60);
  const turned = new Set<string>();
  for (const path of [...PAGES, `/operator/accounts/${fake.accountIdOf(other.email)}`]) {
    const { status, text } = await user.get(path);
    expect([path, status]).toEqual([path, 200]);
    const [next] = /\/dashboard\/history\?[^"]*before=[\w-]+|\/operator\?behind=[\w-]+/.exec(text) ?? [];
    if (next === undefined) continue;
    expect((await user.get(next)).status).toBe(200);
    turned.add(path);
  }
  expect([...turned]).toEqual(["/dashboard/history", "/operator"]);
  const { body } = await fake.post("/api/v1/Browser/Open", {});
  await fake.post("/api/v1/Browser/Close", { address: body["address"] });

  const asked = new Set(prepare.mock.calls.map(([sql]) => sql).filter((sql) => !ofMigrations.has(sql)));
  const database = new DatabaseSync(fake.database, { readOnly: true });
  const scans = [...asked].flatMap((sql) => {
    if (!/^\s*(select|update|delete)\b/i.test(sql)) return [];
    const steps = database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map((step) => String(step["detail"]));
    return steps.filter((step) => isSlow(step, sql)).map((step) => `${step}: ${sql}`);
  });
  database.close();
  expect(asked.size).toBeGreaterThan(30);
  expect(scans).toEqual([]);
});

/** Whether a step reads more rows the larger the table is. */
function isSlow(step: string, sql: string): boolean {
  // Sorting reads all rows before it returns the first one. An account has few tokens.
  if (step.includes("TEMP B-TREE FOR ORDER BY")) return !sql.includes('from "tokens"');
  if (!step.startsWith("SCAN ")) return false;
  // These are not tables but a given list and the rows of a page. Operators are few, and a start reads all browsers that are open.
  if (/^SCAN (json_each|chosen)\b|USING INDEX operators$|^SCAN browsers$/.test(step)) return false;
  // A page of the list ends early. A search without a match reads all email addresses.
  return !(step.endsWith(" INDEX accounts_by_beginning") && /\blimit \?/.test(sql));
}

function addAccounts(file: string, count: number): void {
  using database = new DatabaseSync(file);
  database
    .prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
       insert into accounts (id, email, email_key, additional_units, disabled, created_at)
       select 'account-' || n, n || '@example.com', n || '@example.com', 0, 0, '2024-01-01T00:00:00.000Z' from numbers`,
    )
    .run(count);
}
