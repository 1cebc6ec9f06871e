import { setTimeout as wait } from "node:timers/promises";
import type { Bench, Row } from "../../bench.ts";
import { attachToPage, evaluate } from "../../devtools/page.ts";
import { peakRssBytes, readRssBytes } from "../../measure/memory.ts";
import { MB, mb, signed } from "../../report/units.ts";
import { openBrowser } from "../../subjects/browsers/open-browser.ts";

const MESSAGES = 90;
const MESSAGE_CHARACTERS = 5_000_000;
const MAX_GROWTH_BYTES = 20 * MB;
const POLL_MS = 50;
/** Time for bytes in transit to arrive after the browser has sent all its data. */
const SETTLE_MS = 1000;

// The page counts the messages it sends. A second client reads the count to find out when all have been sent.
const SEND_ONE = `globalThis.sent = (globalThis.sent ?? 0) + 1; "x".repeat(${MESSAGE_CHARACTERS})`;

/** The server's memory growth for a client that reads nothing, compared with a client that reads everything. */
export const stalledClient: Row = {
  name: "stalled-client",
  async measure(bench) {
    bench.report(0, 2);
    const reading = await measureGrowth(bench, "reads");
    bench.report(1, 2);
    const stalled = await measureGrowth(bench, "stalls");
    bench.report(2, 2);
    return [
      {
        name: "server memory growth while a client doesn't read the 450 MB sent to it",
        ours: signed(mb)(stalled),
        baseline: `a client that reads all of it ${signed(mb)(reading)}`,
        compared: `× ${(stalled / reading).toFixed(2)}`,
        target: `≤ + ${MAX_GROWTH_BYTES / MB} MB`,
        isMet: stalled <= MAX_GROWTH_BYTES,
      },
    ];
  },
};

async function measureGrowth(bench: Bench, client: "reads" | "stalls"): Promise<number> {
  await using server = await bench.newServer({});
  await using browser = await openBrowser(server, { Browser: 2, Headless: true });
  const session = await attachToPage(browser.client);
  const one = { expression: SEND_ONE };
  const frames = Buffer.concat(
    Array.from({ length: MESSAGES }, () => browser.client.frame("Runtime.evaluate", one, session)),
  );
  using witness = await server.connect(browser.address);
  const witnessing = await attachToPage(witness);
  const before = readRssBytes(server.pid);
  const peak = await peakRssBytes(server.pid, async () => {
    if (client === "reads") await browser.client.exchange(frames, MESSAGES);
    else browser.client.sendAndStall(frames);
    while ((await evaluate(witness, witnessing, "globalThis.sent ?? 0")) !== MESSAGES) await wait(POLL_MS);
    await wait(SETTLE_MS);
  });
  return peak - before;
}
