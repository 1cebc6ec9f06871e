import { DatabaseSync } from "node:sqlite";
import { addEndedBrowsers } from "../subjects/ended-browsers.ts";
import { type Bench, ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "../report/figure.ts";
import { ms, times, toText } from "../report/units.ts";
import { type SignedInUser, signIn } from "../subjects/signed-in-user.ts";
import { addAccounts } from "../subjects/more-accounts.ts";
import type { Server } from "../subjects/server.ts";

const BROWSERS = 10_000;
const ACCOUNTS = 1000;
/** The month of all browsers, so one page covers them all. */
const MONTH = "2024-10";
const MAX_MS = 50;
/** For the file with one line per browser. */
const MAX_FILE_MS = 100;

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
  // The search reads and finds all accounts.
  "/operator?search=person",
];

/** An operator's pages with 10,000 ended browsers and 1,000 accounts, compared with the same pages without any. */
export const pages: Row = {
  name: "pages",
  async measure(bench) {
    await using full = await bench.newServer({});
    await using empty = await bench.newServer({});
    const [owner, idleOwner] = [readAccount(full), readAccount(empty)];
    addEndedBrowsers({ file: full.database, accountId: owner, period: MONTH, count: BROWSERS });
    addAccounts({ file: full.database, count: ACCOUNTS, period: new Date().toISOString().slice(0, 7) });
    const [busy, idle] = [await signIn(full), await signIn(empty)];
    const deep = readLink(await busy.get(HISTORY), /\/dashboard\/history\?before=[\w-]+/);
    const next = readLink(await busy.get(OPERATOR), /\/operator\?behind=[\w-]+/);
    const compare = (path: string, idlePath = path): Promise<Compared> =>
      comparePages(bench, busy, path, idle, idlePath);

    const compared = [
      await compare(deep, HISTORY),
      await compare(next, OPERATOR),
      await compare(`/operator/accounts/${owner}`, `/operator/accounts/${idleOwner}`),
    ];
    for (const path of PAGES) compared.push(await compare(path));
    const slowest = compared.reduce((one, other) => (other.oursMs > one.oursMs ? other : one));
    const name = slowest.path.replace(/\?.*/, "").replace(owner, ":id");
    return [
      toFigure(`slowest page with 10,000 ended browsers and 1,000 accounts: ${name}`, slowest, MAX_MS),
      toFigure("browsers.csv of 10,000 ended browsers: request → last byte", await compare(FILE), MAX_FILE_MS),
    ];
  },
};

/** The first link to the next page. */
function readLink(page: string, link: RegExp): string {
  const [path] = link.exec(page) ?? [];
  if (path === undefined) throw new Error(`The page has no link ${link.source}: it is the last page.`);
  return path;
}

type Compared = { readonly path: string; readonly oursMs: number; readonly baseMs: number; readonly ratio: string };

/** @param idlePath The same page of the account without browsers. */
async function comparePages(
  bench: Bench,
  busy: SignedInUser,
  path: string,
  idle: SignedInUser,
  idlePath: string,
): Promise<Compared> {
  const sides = { ours: () => timeMs(busy, path), base: () => timeMs(idle, idlePath) };
  const measured = await interleave(sides, ROUNDS, bench.report);
  const ratio = toText(spreadOf(ratios(measured.ours, measured.base)), times);
  return { path, oursMs: medianOf(measured.ours), baseMs: medianOf(measured.base), ratio };
}

function toFigure(name: string, { oursMs, baseMs, ratio }: Compared, maxMs: number): Figure {
  return {
    name,
    ours: ms(oursMs),
    baseline: `the same page without them ${ms(baseMs)}`,
    compared: ratio,
    target: `≤ ${maxMs} ms`,
    isMet: oursMs <= maxMs,
  };
}

/** From the request to the last byte. */
async function timeMs(user: SignedInUser, path: string): Promise<number> {
  const startedMs = performance.now();
  await user.get(path);
  return performance.now() - startedMs;
}

function readAccount({ database, owner }: Server): string {
  const opened = new DatabaseSync(database, { readOnly: true });
  try {
    return String(opened.prepare("select id from accounts where email = ?").get(owner.email)?.["id"]);
  } finally {
    opened.close();
  }
}
