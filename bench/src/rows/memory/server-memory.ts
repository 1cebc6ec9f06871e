import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { operations } from "@remote-browser/contract/operations";
import type { Bench, Row } from "../../bench.ts";
import { ROUNDS, interleave } from "../../measure/interleave.ts";
import { peakRssBytes } from "../../measure/memory.ts";
import { readServerBytes } from "../../measure/processes.ts";
import { medianOf } from "../../measure/statistics.ts";
import { repeat } from "../../measure/time.ts";
import { toDifference } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { MB, mb } from "../../report/units.ts";
import { measureRate, startBareRoute } from "../../subjects/processes/load.ts";
import { openAndAsk } from "../../subjects/browsers/open-browser.ts";
import { compileServer } from "../../subjects/processes/server.ts";

const MAX_FRESH_BYTES = 140 * MB;

const OPENS = 200;
const AT_ONCE = 4;
const MAX_GROWTH_BYTES = 40 * MB;
/** Time for the server to finish its work after the last browser has closed. */
const SETTLE_MS = 1000;

/** This many requests take about 24 s. */
const GETS = 70_000;
const REST_MS = 60_000;
const MAX_RESTED_BYTES = 180 * MB;

/** The server's memory immediately after startup, without browsers. */
export const freshMemory: Row = {
  name: "fresh-memory",
  async measure(bench) {
    const fresh = async (entry: "sources" | "compiled"): Promise<number> => {
      await using server = await bench.newServer({ entry });
      return readServerBytes(server.pid);
    };
    const bare = async (): Promise<number> => {
      await using route = await startBareRoute(bench.newFolder());
      return readServerBytes(route.pid);
    };
    await compileServer();
    const measured = await interleave(
      { bare, sources: () => fresh("sources"), compiled: () => fresh("compiled") },
      ROUNDS,
      bench.report,
    );
    const figure = (entry: "sources" | "compiled", from: string): Figure =>
      toDifference(
        { name: `server memory after start, ${from}`, unit: mb, baseline: "a bare Hono route", max: MAX_FRESH_BYTES },
        { ours: [medianOf(measured[entry])], base: [medianOf(measured.bare)] },
      );
    return [figure("sources", "from sources"), figure("compiled", "compiled")];
  },
};

/** The server's memory after 200 browsers have been opened and closed. */
export const memoryAfterOpens: Row = {
  name: "memory-after-opens",
  async measure(bench: Bench) {
    await using server = await bench.newServer({});
    const before = readServerBytes(server.pid);
    let closed = 0;
    await repeat(OPENS, AT_ONCE, async () => {
      await server.close(await openAndAsk(server, { Browser: 3 }));
      closed += 1;
      bench.report(closed, OPENS);
    });
    await wait(SETTLE_MS);
    const name = `server memory after ${OPENS} Open requests, ${AT_ONCE} at a time`;
    const about = { name, unit: mb, baseline: "the same server after startup", maxAdded: MAX_GROWTH_BYTES };
    return [toDifference(about, { ours: [readServerBytes(server.pid)], base: [before] })];
  },
};

/** Server memory use one minute after many requests. */
export const memoryAfterGet: Row = {
  name: "memory-after-get",
  async measure(bench: Bench) {
    const folder = bench.newFolder();
    await mkdir(folder);
    await using server = await bench.newServer({});
    const before = readServerBytes(server.pid);
    const url = new URL(operations.getBrowsers.path, server.url);
    const busy = await peakRssBytes(server.pid, async () => {
      await measureRate(url, { requests: GETS }, [`Authorization=Bearer ${server.token}`], join(folder, "log"));
    });
    bench.report(1, 2);
    await wait(REST_MS);
    const about = {
      name: `server memory a minute after ${GETS.toLocaleString("en")} Get requests over 50 connections`,
      ...{ unit: mb, baseline: "the same server after startup", max: MAX_RESTED_BYTES },
      note: `, resident peak ${mb(busy)}`,
    };
    return [toDifference(about, { ours: [readServerBytes(server.pid)], base: [before] })];
  },
};
