import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { operations } from "@remote-browser/contract/operations";
import type { Bench, Row } from "../../bench.ts";
import { readProcessorMs, readServerBytes } from "../../measure/processes.ts";
import { medianOf } from "../../measure/statistics.ts";
import { toDifference } from "../../report/comparison.ts";
import { MB, mb, percent } from "../../report/units.ts";
import type { Server } from "../../subjects/processes/server.ts";

/** An account may have up to 100 waiting requests. */
const [ACCOUNTS, EACH] = [10, 100];
const WAITING = ACCOUNTS * EACH;
const MAX_GROWTH_BYTES = 20 * MB;
/** Maximum load that waiting requests may add, as a share of one core. */
const MAX_ADDED_SHARE = 0.01;
const WAIT_S = 45;
/** Two garbage-collection intervals. */
const SETTLE_MS = 21_000;
/** CPU time is the median of this many one-second samples, so a single garbage collection doesn't affect it. */
const WATCHED_SECONDS = 15;
const POLL_MS = 100;
const WAITING_METRIC = /^rbs_opens_waiting (\d+)$/gm;

/** The cost of 1,000 Open requests that wait until their accounts are below their limits. */
export const waitingOpens: Row = {
  name: "waiting-opens",
  async measure(bench: Bench) {
    await using server = await bench.newServer({});
    const tokens = await Promise.all(
      Array.from({ length: ACCOUNTS }, (_, index) => server.createAccount(`waiting${index}@example.com`, 1)),
    );
    const agent = new Agent({ maxSockets: Infinity });
    // Each account may have one open browser.
    await Promise.all(tokens.map((token) => answered(send(server, agent, token, { Browser: 3, KeepOpen: 0 }))));
    await wait(SETTLE_MS);
    const idleShare = await watch(server);
    const before = readServerBytes(server.pid);
    const waiting = tokens.flatMap((token) =>
      Array.from({ length: EACH }, () => send(server, agent, token, { Browser: 3, WaitForPlace: WAIT_S })),
    );
    const signal = AbortSignal.timeout(WAIT_S * 1000);
    while ((await server.readMetric(WAITING_METRIC)) !== WAITING) await wait(POLL_MS, undefined, { signal });
    bench.report(1, 2);
    await wait(SETTLE_MS);
    const busyShare = await watch(server);
    const [left, after] = [await server.readMetric(WAITING_METRIC), readServerBytes(server.pid)];
    for (const each of waiting) each.destroy();
    agent.destroy();
    if (left !== WAITING) throw new Error(`Only ${left} of ${WAITING} requests were still waiting.`);
    const name = `while ${WAITING.toLocaleString("en")} Open requests of ${ACCOUNTS} accounts wait`;
    const baseline = "without waiting requests";
    return [
      toDifference(
        { name: `server memory ${name}`, unit: mb, baseline, maxAdded: MAX_GROWTH_BYTES },
        { ours: [after], base: [before] },
      ),
      toDifference(
        { name: `processor time ${name}`, unit: percent, baseline, maxAdded: MAX_ADDED_SHARE, of: "of a core" },
        { ours: [busyShare], base: [idleShare] },
      ),
    ];
  },
};

/** @returns The server's CPU usage, as a share of one core. */
async function watch(server: Server): Promise<number> {
  const shares: number[] = [];
  for (let second = 0; second < WATCHED_SECONDS; second += 1) {
    const [startedMs, usedMs] = [performance.now(), readProcessorMs(server.pid)];
    await wait(1000);
    shares.push((readProcessorMs(server.pid) - usedMs) / (performance.now() - startedMs));
  }
  return medianOf(shares);
}

function send(server: Server, agent: Agent, token: string, options: object): ClientRequest {
  const { method, path } = operations.openBrowser;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = request(new URL(path, server.url), { method, headers, agent });
  // When the measurement ends, requests that are still waiting are aborted.
  sent.on("error", () => {});
  return sent.end(JSON.stringify(options));
}

async function answered(sent: ClientRequest): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  sent.on("response", (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  const status = await promise;
  if (status !== 200) throw new Error(`Open returned ${status}.`);
}
