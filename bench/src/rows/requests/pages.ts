import { DatabaseSync } from "node:sqlite";
import type { Postgres } from "../../../../server/test/interface.ts";
import { addEndedBrowsers, addEndedBrowsersToPostgres } from "../../subjects/databases/ended-browsers.ts";
import type { Bench, Row } from "../../bench.ts";
import { ROUNDS, interleave } from "../../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../../measure/statistics.ts";
import { timeMs } from "../../measure/time.ts";
import type { Figure } from "../../report/figure.ts";
import { ms, times, toText } from "../../report/units.ts";
import { type SignedInUser, signIn } from "../../subjects/processes/signed-in-user.ts";
import { addAccounts, addAccountsToPostgres } from "../../subjects/databases/more-accounts.ts";
import type { Server } from "../../subjects/processes/server.ts";

const ACCOUNTS = 1000;
/** All browsers were open during this month, so a single page covers them all. */
const MONTH = "2024-10";
const MAX_MS = 50;
/** Maximum download time of the file with one line per browser. */
const MAX_FILE_MS = 100;

/** The operator's account has 100,000 browsers, and 1,000 other accounts have 900 each. */
const LARGE = { count: 100_000, countOfOthers: 900, period: MONTH };
const MAX_LARGE_MS = 100;

const HISTORY = "/dashboard/history";
const OPERATOR = "/operator";
const FILE = `/dashboard/browsers.csv?month=${MONTH}`;
const PAGES = [
  "/dashboard",
  "/dashboard/open",
  HISTORY,
  `/dashboard/usage?month=${MONTH}`,
  `/dashboard/usage.csv?month=${MONTH}`,
  "/dashboard/tokens",
  "/dashboard/settings",
  "/dashboard/quick-start",
  "/operator",
  // This search finds all accounts.
  "/operator?search=person",
];

/** An operator's pages on a server with 10,000 ended browsers and 1,000 accounts, compared with an empty server. */
export const pages: Row = {
  name: "pages",
  async measure(bench) {
    await using full = await bench.newServer({});
    await using empty = await bench.newServer({});
    fillSqlite(full, { count: 10_000, period: MONTH });
    const compare = await comparePages(bench, full, readId(full), empty, readId(empty));
    const name = "slowest page with 10,000 ended browsers and 1,000 accounts";
    return [
      toFigure(name, findSlowest(await compare.all()), MAX_MS),
      toFigure("browsers.csv of 10,000 ended browsers: request → last byte", await compare.one(FILE), MAX_FILE_MS),
    ];
  },
};

/** The operator's pages on a server with a million ended browsers, with each database. */
export const largePages: Row = {
  name: "large-pages",
  async measure(bench) {
    const name = "slowest page with 1,000,000 ended browsers of 1,000 accounts";
    const onSqlite = async (): Promise<Figure> => {
      await using full = await bench.newServer({});
      await using empty = await bench.newServer({});
      fillSqlite(full, LARGE);
      const compare = await comparePages(bench, full, readId(full), empty, readId(empty));
      return toFigure(name, findSlowest(await compare.all()), MAX_LARGE_MS);
    };
    const onPostgres = async (): Promise<Figure> => {
      await using postgres = await bench.newPostgres();
      const urls = [await postgres.createDatabase(), await postgres.createDatabase()] as const;
      await using full = await bench.newServer({ databaseUrl: urls[0] });
      await using empty = await bench.newServer({ databaseUrl: urls[1] });
      const ids = [
        await readPostgresId(postgres, urls[0], full),
        await readPostgresId(postgres, urls[1], empty),
      ] as const;
      await addAccountsToPostgres(urls[0], { count: ACCOUNTS, period: toCurrentMonth() });
      await addEndedBrowsersToPostgres(urls[0], { accountId: ids[0], ...LARGE });
      const compare = await comparePages(bench, full, ids[0], empty, ids[1]);
      return toFigure(`PostgreSQL: ${name}`, findSlowest(await compare.all()), MAX_LARGE_MS);
    };
    return [await onSqlite(), await onPostgres()];
  },
};

type Amounts = { readonly count: number; readonly countOfOthers?: number; readonly period: string };

function fillSqlite(server: Server, amounts: Amounts): void {
  addAccounts({ file: server.database, count: ACCOUNTS, period: toCurrentMonth() });
  addEndedBrowsers({ file: server.database, accountId: readId(server), ...amounts });
}

function toCurrentMonth(): string {
  return new Date().toISOString().slice(0, 7);
}

/** Compares the pages of a full server and an empty one. @param id The account id of the full server's operator. */
async function comparePages(bench: Bench, full: Server, id: string, empty: Server, emptyId: string) {
  const [busy, idle] = [await signIn(full), await signIn(empty)];
  const one = (path: string, idlePath = path): Promise<Compared> => comparePage(bench, busy, path, idle, idlePath);
  return {
    one,
    async all(): Promise<readonly Compared[]> {
      const deep = readLink(await busy.get(HISTORY), /\/dashboard\/history\?before=[\w-]+/);
      const next = readLink(await busy.get(OPERATOR), /\/operator\?behind=[\w-]+/);
      const compared = [
        await one(deep, HISTORY),
        await one(next, OPERATOR),
        await one(`/operator/accounts/${id}`, `/operator/accounts/${emptyId}`),
      ];
      for (const path of PAGES) compared.push(await one(path));
      return compared;
    },
  };
}

/** Returns the first link to the next page. */
function readLink(page: string, link: RegExp): string {
  const [path] = link.exec(page) ?? [];
  if (path === undefined) throw new Error(`The page has no link that matches ${link.source}.`);
  return path;
}

type Compared = { readonly path: string; readonly oursMs: number; readonly baseMs: number; readonly ratio: string };

/** @param idlePath The same page for an account without browsers. */
async function comparePage(
  bench: Bench,
  busy: SignedInUser,
  path: string,
  idle: SignedInUser,
  idlePath: string,
): Promise<Compared> {
  const sides = { ours: () => timeMs(() => busy.get(path)), base: () => timeMs(() => idle.get(idlePath)) };
  const measured = await interleave(sides, ROUNDS, bench.report);
  const ratio = toText(spreadOf(ratios(measured.ours, measured.base)), times);
  return { path, oursMs: medianOf(measured.ours), baseMs: medianOf(measured.base), ratio };
}

/** Returns the slowest page, with its path for use in the figure's name. */
function findSlowest(compared: readonly Compared[]): Compared & { readonly page: string } {
  const slowest = compared.reduce((one, other) => (other.oursMs > one.oursMs ? other : one));
  return { ...slowest, page: slowest.path.replace(/\?.*/, "").replace(/(?<=\/accounts\/).*/, ":id") };
}

function toFigure(
  name: string,
  { page, oursMs, baseMs, ratio }: Compared & { readonly page?: string },
  maxMs: number,
): Figure {
  return {
    name: page === undefined ? name : `${name}: ${page}`,
    ours: ms(oursMs),
    baseline: `the same page of an empty server ${ms(baseMs)}`,
    compared: ratio,
    target: `≤ ${maxMs} ms`,
    isMet: oursMs <= maxMs,
  };
}

const READ_ID = "select id from accounts where email = ";

function readId({ database, owner }: Server): string {
  using opened = new DatabaseSync(database, { readOnly: true });
  return String(opened.prepare(`${READ_ID} ?`).get(owner.email)?.["id"]);
}

async function readPostgresId(postgres: Postgres, url: string, { owner }: Server): Promise<string> {
  const [account] = await postgres.query<{ id: string }>(`${READ_ID} '${owner.email}'`, url);
  return String(account?.id);
}
