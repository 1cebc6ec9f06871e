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
const REQUESTS = 8000;
/** The size of a server's pool. */
const CONNECTIONS = 6;

/** Authenticated Get requests with five open browsers, compared with a bare Hono route that returns the same bytes. */
export const get: Row = {
  name: "get",
  async measure(bench) {
    await using bare = await startBareRoute(bench.newFolder());
    const compared = { title: "Get", route: "a bare Hono route", minRatio: 0.35, bareRequests: 2 * REQUESTS };
    return [await compareGet(bench, await bench.server("sandbox"), bare, compared)];
  },
};

/** Get requests to a server with PostgreSQL, compared with a bare Hono route that makes one query. */
export const postgresGet: Row = {
  name: "postgres-get",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    const databaseUrl = await postgres.createDatabase();
    await using server = await bench.newServer({ databaseUrl });
    return [await compareQueries(bench, server, databaseUrl, "PostgreSQL: Get")];
  },
};

/** Get requests to a front-end, which reads its workers' browsers from the store. */
export const frontGet: Row = {
  name: "front-get",
  async measure(bench) {
    await using postgres = await bench.newPostgres();
    const databaseUrl = await postgres.createDatabase();
    await using cluster = await startCluster(bench, databaseUrl);
    return [await compareQueries(bench, cluster.front, databaseUrl, "Front-end: Get")];
  },
};

async function compareQueries(bench: Bench, server: Server, url: string, title: string): Promise<Figure> {
  await using bare = await startBareRoute(bench.newFolder(), { url, connections: CONNECTIONS });
  const compared = { title, route: "a bare Hono route with one query", minRatio: 0.25, bareRequests: REQUESTS };
  return await compareGet(bench, server, bare, compared);
}

type Compared = {
  readonly title: string;
  readonly route: string;
  readonly minRatio: number;
  /** Number of requests to the bare route per round. */
  readonly bareRequests: number;
};

async function compareGet(
  bench: Bench,
  server: Server,
  bare: BareRoute,
  { title, route, minRatio, bareRequests }: Compared,
): Promise<Figure> {
  const folder = bench.newFolder();
  await mkdir(folder);
  const log = join(folder, "log");
  await using browsers = new AsyncDisposableStack();
  for (let index = 0; index < BROWSERS; index += 1) browsers.use(await openBrowser(server, { Browser: 3 }));
  const url = new URL(operations.getBrowsers.path, server.url);
  const headers = [`Authorization=Bearer ${server.token}`];
  const comparison = {
    name: `${title}, authenticated, ${BROWSERS} open browsers, 50 connections`,
    ...{ unit: perSecond, baseline: route, atLeast: minRatio, of: "the bare route" },
  };
  return await compare(bench, comparison, {
    base: () => measureRate(bare.url, { requests: bareRequests }, [], log),
    ours: () => measureRate(url, { requests: REQUESTS }, headers, log),
  });
}
