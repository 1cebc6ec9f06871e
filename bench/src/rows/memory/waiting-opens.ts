import { Agent, type ClientRequest, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { operations } from "@remote-browser/contract/operations";
import type { Bench, Row } from "../../bench.ts";
import { readProcessorMs, readServerBytes } from "../../measure/processes.ts";
import { medianOf } from "../../measure/statistics.ts";
import { MB, mb, percent, signed } from "../../report/units.ts";
import type { Server } from "../../subjects/processes/server.ts";

/** As many requests as each account may have waiting, and as many accounts as make 1,000. */
const [ACCOUNTS, EACH] = [10, 100];
const WAITING = ACCOUNTS * EACH;
const MAX_GROWTH_BYTES = 20 * MB;
/** The share of one core that waiting requests may add. */
const MAX_ADDED_SHARE = 0.01;
const WAIT_S = 45;
/** Two periods of the collector of garbage. */
const SETTLE_MS = 21_000;
/** The processor time is the median of so many seconds, so a collection of garbage in one of them doesn't count. */
const WATCHED_SECONDS = 15;
const POLL_MS = 100;

/** What 1,000 Open requests cost that wait for a place of their account. */
export const waitingOpens: Row = {
  name: "waiting-opens",
  async measure(bench: Bench) {
    await using server = await bench.newServer({});
    const tokens = await Promise.all(
      Array.from({ length: ACCOUNTS }, (_, index) => server.createAccount(`waiting${index}@example.com`, 1)),
    );
    const agent = new Agent({ maxSockets: Infinity });
    // Each takes the only place of its account.
    await Promise.all(tokens.map((token) => answered(send(server, agent, token, { Browser: 3, KeepOpen: 0 }))));
    await wait(SETTLE_MS);
    const idleShare = await watch(server);
    const before = readServerBytes(server.pid);
    const waiting = tokens.flatMap((token) =>
      Array.from({ length: EACH }, () => send(server, agent, token, { Browser: 3, WaitForPlace: WAIT_S })),
    );
    const signal = AbortSignal.timeout(WAIT_S * 1000);
    while ((await server.readMetric(/^rbs_opens_waiting (\d+)$/gm)) !== WAITING)
      await wait(POLL_MS, undefined, { signal });
    bench.report(1, 2);
    await wait(SETTLE_MS);
    const busyShare = await watch(server);
    const [left, after] = [await server.readMetric(/^rbs_opens_waiting (\d+)$/gm), readServerBytes(server.pid)];
    for (const each of waiting) each.destroy();
    agent.destroy();
    if (left !== WAITING) throw new Error(`Only ${left} of ${WAITING} requests still waited.`);
    const growth = after - before;
    const added = busyShare - idleShare;
    const name = `${WAITING.toLocaleString("en")} Open requests that wait for their ${ACCOUNTS} accounts`;
    return [
      {
        name: `server memory, ${name}`,
        ours: mb(after),
        baseline: `the same server without them ${mb(before)}`,
        compared: signed(mb)(growth),
        target: `≤ + ${MAX_GROWTH_BYTES / MB} MB`,
        isMet: growth <= MAX_GROWTH_BYTES,
      },
      {
        name: `processor time, ${name}`,
        ours: percent(busyShare),
        baseline: `the same server without them ${percent(idleShare)}`,
        compared: signed(percent)(added),
        target: `≤ + ${percent(MAX_ADDED_SHARE)} of a core`,
        isMet: added <= MAX_ADDED_SHARE,
      },
    ];
  },
};

/** @returns The share of a core that the server uses. */
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
  // They are cut at the end.
  sent.on("error", () => {});
  return sent.end(JSON.stringify(options));
}

async function answered(sent: ClientRequest): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  sent.on("response", (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  const status = await promise;
  if (status !== 200) throw new Error(`Open was answered with ${status}.`);
}
