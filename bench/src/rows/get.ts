import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { operations } from "@remote-browser/contract/operations";
import { type Bench, ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "../report/figure.ts";
import { perSecond, times, toText } from "../report/units.ts";
import { startCluster } from "../subjects/cluster.ts";
import { type BareRoute, measureRate, startBareRoute } from "../subjects/load.ts";
import { openBrowser } from "../subjects/open-browser.ts";
import type { Server } from "../subjects/server.ts";

const BROWSERS = 5;
/** As many connections to the database as a server has. */
const CONNECTIONS = 6;

/** Get with a token and five browsers, compared with a bare Hono route that returns the same bytes. */
export const get: Row = {
  name: "get",
  async measure(bench) {
    await using bare = await startBareRoute(bench.newFolder());
    const server = await bench.server("sandbox");
    const compared = {
      database: "",
      route: "a bare Hono route",
      minRatio: 0.35,
      requests: { get: 8000, bare: 16_000 },
    };
    return [await compareGet(bench, server, bare, compared)];
  },
};

/** The same on a server with PostgreSQL, compared with a bare Hono route that makes one query. */
export const postgresGet: Row = {
  name: "postgres-get",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    const databaseUrl = await postgres.createDatabase();
    await using server = await bench.newServer({ databaseUrl });
    await using bare = await startBareRoute(bench.newFolder(), { url: databaseUrl, connections: CONNECTIONS });
    const route = "a bare Hono route with one query";
    const compared = { database: "PostgreSQL: ", route, minRatio: 0.25, requests: { get: 8000, bare: 8000 } };
    return [await compareGet(bench, server, bare, compared)];
  },
};

/** The same on a front-end, which reads the browsers of its workers from the store. */
export const frontGet: Row = {
  name: "front-get",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    const databaseUrl = await postgres.createDatabase();
    await using cluster = await startCluster(bench, databaseUrl);
    await using bare = await startBareRoute(bench.newFolder(), { url: databaseUrl, connections: CONNECTIONS });
    const route = "a bare Hono route with one query";
    const compared = { database: "Front-end: ", route, minRatio: 0.25, requests: { get: 8000, bare: 8000 } };
    return [await compareGet(bench, cluster.front, bare, compared)];
  },
};

type Comparison = {
  readonly database: string;
  readonly route: string;
  readonly minRatio: number;
  readonly requests: { readonly get: number; readonly bare: number };
};

async function compareGet(
  bench: Bench,
  server: Server,
  bare: BareRoute,
  { database, route, minRatio, requests }: Comparison,
): Promise<Figure> {
  const folder = bench.newFolder();
  await mkdir(folder);
  const log = join(folder, "log");
  await using browsers = new AsyncDisposableStack();
  for (let index = 0; index < BROWSERS; index += 1) browsers.use(await openBrowser(server, { Browser: 3 }));
  const url = new URL(operations.getBrowsers.path, server.url);
  const headers = [`Authorization=Bearer ${server.token}`];
  const rates = await interleave(
    {
      bare: () => measureRate(bare.url, { requests: requests.bare }, [], log),
      get: () => measureRate(url, { requests: requests.get }, headers, log),
    },
    ROUNDS,
    bench.report,
  );
  const ratio = spreadOf(ratios(rates.get, rates.bare));
  return {
    name: `${database}Get, authenticated, ${BROWSERS} browsers open, 50 connections`,
    ours: perSecond(medianOf(rates.get)),
    baseline: `${route} ${perSecond(medianOf(rates.bare))}`,
    compared: toText(ratio, times),
    target: `≥ ${minRatio} × the bare route`,
    isMet: ratio.median >= minRatio,
  };
}
