import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import {
  addEndedBrowsers,
  addEndedBrowsersToPostgres,
} from "../../../../../bench/src/subjects/databases/ended-browsers.ts";
import { addAccountsToPostgres } from "../../../../../bench/src/subjects/databases/more-accounts.ts";
import { signIn, signUp } from "../../../../test/support/pages/page-user.ts";
import { startPostgres } from "../../../../test/support/databases/postgres.ts";
import { TEST_KEY, openTestStore } from "../../../../test/support/databases/stores.ts";
import { migratePostgres } from "../../../adapters/sql/postgres/migrate.ts";

const MONTH = "2024-02";

/** Pages and downloads for users and operators. */
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
  "/operator/audit",
  "/operator/audit?of=no-such-account&behind=x",
];

/** Enough browsers and accounts for a second page. */
const [BROWSERS, ACCOUNTS] = [1200, 60];

/** The account search. */
const SEARCH = /\bstrpos\("email_key"/;

/** More rows than the account has, but fewer than the tables have. */
const MANY = 1300;

afterEach(() => vi.restoreAllMocks());

test("in SQLite, no query by a page, Open or Close scans a whole table, except for the account search", async () => {
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  // The migration check may scan tables.
  await (await openTestStore())[Symbol.asyncDispose]();
  const ofMigrations = new Set(prepare.mock.calls.map(([sql]) => sql));
  await using fake = await startFakeService();
  const accountIdOf = async (email: string) => fake.accountIdOf(email);
  await useEverything(fake, accountIdOf, (accountId) => {
    addEndedBrowsers({ file: fake.database, accountId, period: MONTH, count: BROWSERS });
    addAccounts(fake.database, ACCOUNTS);
  });

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

test("in PostgreSQL, no query by a page, Open or Close reads many rows, except for the account search", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  const query = vi.spyOn(Client.prototype, "query");
  await using fake = await startFakeService({ RBS_DATABASE_URL: url, RBS_SECRET_KEY: TEST_KEY });
  const accountIdOf = async (email: string): Promise<string> => {
    const [account] = await postgres.query<{ id: string }>(`select id from accounts where email_key = '${email}'`, url);
    return account?.id ?? "";
  };
  let calls: unknown[][] = [];
  await useEverything(fake, accountIdOf, async (accountId) => {
    calls = [...query.mock.calls];
    await addAccountsToPostgres(url, { count: 1.2 * MANY, period: "2024-01" });
    // The last step of this function collects statistics.
    await addEndedBrowsersToPostgres(url, { accountId, period: MONTH, count: BROWSERS, countOfOthers: 8 });
    query.mockClear();
  });

  const asked = new Map([...calls, ...query.mock.calls].map(toStatement));
  query.mockRestore();
  const statements = [...asked].filter(([text]) => /^(select|with|update|delete)\b/.test(text) && !SEARCH.test(text));
  const large = await findLargeReads(url, statements);
  expect(statements.length).toBeGreaterThan(30);
  expect(large).toEqual([]);
});

/** @returns The steps that read many rows. */
async function findLargeReads(url: string, statements: (readonly [string, readonly unknown[]])[]): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const large: string[] = [];
    for (const [text, values] of statements) {
      await client.query("begin");
      const explained = await client.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, format json) ${text}`,
        [...values],
      );
      await client.query("rollback");
      const steps = explained.rows.flatMap((row) => toSteps(row["QUERY PLAN"][0].Plan));
      large.push(...steps.filter((step) => rowsOf(step) > MANY).map((step) => `${toText(step)}: ${text}`));
    }
    return large;
  } finally {
    await client.end();
  }
}

/**
 * Visits all pages, and opens and closes a browser.
 * @param fill Adds ended browsers to an account, and other accounts.
 */
async function useEverything(
  fake: FakeService,
  accountIdOf: (email: string) => Promise<string>,
  fill: (accountId: string) => void | Promise<void>,
): Promise<void> {
  const other = await signUp(fake.service.url);
  const { email, password = "" } = fake.service.firstAccount ?? { email: "" };
  const user = await signIn(fake.service.url, email, password);
  await fill(await accountIdOf(email));
  const turned = new Set<string>();
  for (const path of [...PAGES, `/operator/accounts/${await accountIdOf(other.email)}`]) {
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
}

/** The arguments of `Client.query`: a text and values, or an object with both. */
function toStatement([query, values]: unknown[]): readonly [text: string, values: readonly unknown[]] {
  if (typeof query === "string") return [query, Array.isArray(values) ? values : []];
  const { text = "", values: own = [] } = query as { text?: string; values?: unknown[] };
  return [text, own];
}

/** https://www.postgresql.org/docs/15/using-explain.html */
type Plan = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly Plan[];
};

function toSteps(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(toSteps)];
}

/** Returns the number of rows that a step has read. */
function rowsOf(step: Plan): number {
  return (step["Actual Rows"] + (step["Rows Removed by Filter"] ?? 0)) * step["Actual Loops"];
}

function toText(step: Plan): string {
  return `${step["Node Type"]} ${step["Index Name"] ?? step["Relation Name"] ?? ""} reads ${rowsOf(step)} rows`;
}

/** Whether the number of rows that a step reads grows with the table. */
function isSlow(step: string, sql: string): boolean {
  // Sorting reads all rows before it returns the first row. This is fine for tokens: an account has only a few.
  if (step.includes("TEMP B-TREE FOR ORDER BY")) return !sql.includes('from "tokens"');
  if (!step.startsWith("SCAN ")) return false;
  // `json_each` is a list parameter, and `chosen` holds a page's rows; neither is a table. There are few operators, and
  // servers read all open browsers at startup.
  if (/^SCAN (json_each|chosen)\b|USING INDEX operators$|^SCAN browsers$/.test(step)) return false;
  // The page size limits how many rows a list reads. A search without a match reads all email addresses.
  return !(/ INDEX (accounts_by_beginning|sqlite_autoindex_audit_1)$/.test(step) && /\blimit \?/.test(sql));
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
