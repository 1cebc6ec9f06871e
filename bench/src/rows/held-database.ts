import { DatabaseSync } from "node:sqlite";
import type { Row } from "../bench.ts";
import type { DevtoolsClient } from "../devtools/client.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, quantileOf, ratios, spreadOf } from "../measure/statistics.ts";
import { times, toText, us } from "../report/units.ts";
import { openBrowser } from "../subjects/open-browser.ts";
import type { Server } from "../subjects/server.ts";

/** A round lasts seconds, so there are fewer than in other rows. */
const ROUNDS = { rounds: 15, warmUps: 1 };
/** Less than the time after which Open is refused. */
const HELD_MS = 1000;
/** The 99th percentile varies between rounds, so the limit leaves room for noise. */
const MAX_RATIO = 1.25;

/** DevTools calls while a process such as `npm run account` holds the database and an Open request waits for it. */
export const heldDatabase: Row = {
  name: "held-database",
  async measure(bench) {
    await using server = await bench.newServer({});
    await using browser = await openBrowser(server, { Browser: 2, Headless: true });
    const measured = await interleave(
      {
        idle: () => slowCallUs(browser.client),
        held: () => whileHeld(server, () => slowCallUs(browser.client)),
      },
      ROUNDS,
      bench.report,
    );
    const ratio = spreadOf(ratios(measured.held, measured.idle));
    return [
      {
        name: `99th percentile of DevTools calls while the database is held for ${HELD_MS / 1000} s`,
        ours: us(medianOf(measured.held)),
        baseline: `idle ${us(medianOf(measured.idle))}`,
        compared: toText(ratio, times),
        target: `≤ ${MAX_RATIO} × idle`,
        isMet: ratio.median <= MAX_RATIO,
      },
    ];
  },
};

async function whileHeld(server: Server, measure: () => Promise<number>): Promise<number> {
  using database = new DatabaseSync(server.database, { timeout: 5000 });
  database.exec("begin immediate");
  const opening = server.open({ Browser: 3 });
  const measured = await measure();
  database.exec("commit");
  await server.close(await opening);
  return measured;
}

/** @returns The 99th percentile of the calls in `HELD_MS`. */
async function slowCallUs(client: DevtoolsClient): Promise<number> {
  const frame = client.frame("Browser.getVersion");
  const calls: number[] = [];
  for (const endMs = performance.now() + HELD_MS; performance.now() < endMs;) {
    const startedMs = performance.now();
    await client.exchange(frame);
    calls.push((performance.now() - startedMs) * 1000);
  }
  return quantileOf(calls, 0.99);
}
