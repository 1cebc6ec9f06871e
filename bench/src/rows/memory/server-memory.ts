import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { operations } from "@remote-browser/contract/operations";
import { type Bench, ROUNDS, type Row } from "../../bench.ts";
import { interleave } from "../../measure/interleave.ts";
import { peakRssBytes } from "../../measure/memory.ts";
import { readServerBytes } from "../../measure/processes.ts";
import { medianOf } from "../../measure/statistics.ts";
import type { Figure } from "../../report/figure.ts";
import { MB, mb, signed } from "../../report/units.ts";
import { measureRate, startBareRoute } from "../../subjects/processes/load.ts";
import { openAndAsk } from "../../subjects/browsers/open-browser.ts";
import { compileServer } from "../../subjects/processes/server.ts";

const MAX_FRESH_BYTES = 140 * MB;

const OPENS = 200;
const AT_ONCE = 4;
const MAX_GROWTH_BYTES = 40 * MB;
/** The server works for a moment after the last browser has closed. */
const SETTLE_MS = 1000;

/** About 24 s of requests. */
const GETS = 70_000;
const REST_MS = 60_000;
const MAX_RESTED_BYTES = 180 * MB;

/** The memory of the server right after its start, without browsers. */
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
    const bareBytes = medianOf(measured.bare);
    const figure = (entry: "sources" | "compiled", from: string): Figure => {
      const bytes = medianOf(measured[entry]);
      return {
        name: `server memory, fresh, ${from}`,
        ours: mb(bytes),
        baseline: `a bare Hono route ${mb(bareBytes)}`,
        compared: signed(mb)(bytes - bareBytes),
        target: `≤ ${MAX_FRESH_BYTES / MB} MB`,
        isMet: bytes <= MAX_FRESH_BYTES,
      };
    };
    return [figure("sources", "from sources"), figure("compiled", "compiled")];
  },
};

/** How much memory the server keeps after 200 browsers. */
export const memoryAfterOpens: Row = {
  name: "memory-after-opens",
  async measure(bench: Bench) {
    await using server = await bench.newServer({});
    const before = readServerBytes(server.pid);
    let opened = 0;
    const openAndClose = async (): Promise<void> => {
      while (opened < OPENS) {
        opened += 1;
        await server.close(await openAndAsk(server, { Browser: 3 }));
        bench.report(opened, OPENS);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, openAndClose));
    await wait(SETTLE_MS);
    const after = readServerBytes(server.pid);
    const growth = after - before;
    return [
      {
        name: `server memory after ${OPENS} Open requests, ${AT_ONCE} at once`,
        ours: mb(after),
        baseline: `the same server, fresh ${mb(before)}`,
        compared: signed(mb)(growth),
        target: `≤ fresh + ${MAX_GROWTH_BYTES / MB} MB`,
        isMet: growth <= MAX_GROWTH_BYTES,
      },
    ];
  },
};

/** How much memory the server keeps a minute after many requests. */
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
    const after = readServerBytes(server.pid);
    return [
      {
        name: `server memory a minute after ${GETS.toLocaleString("en")} Get requests over 50 connections`,
        ours: mb(after),
        baseline: `the same server, fresh ${mb(before)}, at most ${mb(busy)} resident`,
        compared: signed(mb)(after - before),
        target: `≤ ${MAX_RESTED_BYTES / MB} MB`,
        isMet: after <= MAX_RESTED_BYTES,
      },
    ];
  },
};
