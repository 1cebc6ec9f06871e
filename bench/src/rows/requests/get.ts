import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { operations } from "@remote-browser/contract/operations";
import type { Bench, Row } from "../../bench.ts";
import { compare } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { perSecond } from "../../report/units.ts";
import { startCluster } from "../../subjects/processes/cluster.ts";
import { type BareRoute, measureRate, startBareRoute } from "../../subjects/processes/load.ts";
import { openBrowser } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

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
    return [await compareQueries(bench, server, databaseUrl, "PostgreSQL: ")];
  },
};

/** The same on a front-end, which reads the browsers of its workers from the store. */
export const frontGet: Row = {
  name: "front-get",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    const databaseUrl = await postgres.createDatabase();
    await using cluster = await startCluster(bench, databaseUrl);
    return [await compareQueries(bench, cluster.front, databaseUrl, "Front-end: ")];
  },
};

async function compareQueries(bench: Bench, server: Server, url: string, database: string): Promise<Figure> {
  await using bare = await startBareRoute(bench.newFolder(), { url, connections: CONNECTIONS });
  const route = "a bare Hono route with one query";
  return await compareGet(bench, server, bare, {
    database,
    route,
    minRatio: 0.25,
    requests: { get: 8000, bare: 8000 },
  });
}

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
  const comparison = {
    name: `${database}Get, authenticated, ${BROWSERS} browsers open, 50 connections`,
    ...{ unit: perSecond, baseline: route, atLeast: minRatio, of: "the bare route" },
  };
  return await compare(bench, comparison, {
    base: () => measureRate(bare.url, { requests: requests.bare }, [], log),
    ours: () => measureRate(url, { requests: requests.get }, headers, log),
  });
}
