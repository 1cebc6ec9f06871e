import { DatabaseSync } from "node:sqlite";
import type { Row } from "../../bench.ts";
import type { DevtoolsClient } from "../../devtools/client.ts";
import { quantileOf } from "../../measure/statistics.ts";
import { timeEachMs } from "../../measure/time.ts";
import { compare } from "../../report/comparison.ts";
import { us } from "../../report/units.ts";
import { openBrowser } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";

const ROUNDS = { rounds: 15, warmUps: 1 };
/** Short enough that an Open request waits and succeeds. */
const HELD_MS = 1000;
/** Allows for noise: the 99th percentile varies between rounds. */
const MAX_RATIO = 1.25;

/** DevTools calls while another process, such as `npm run account`, locks the database and an Open request waits. */
export const heldDatabase: Row = {
  name: "held-database",
  async measure(bench) {
    await using server = await bench.newServer({});
    await using browser = await openBrowser(server, { Browser: 2, Headless: true });
    const comparison = {
      name: `99th percentile of DevTools calls while the database is locked for ${HELD_MS / 1000} s`,
      ...{ unit: us, baseline: "unlocked", atMost: MAX_RATIO, of: "unlocked" },
    };
    const sides = {
      base: () => slowCallUs(browser.client),
      ours: () => whileHeld(server, () => slowCallUs(browser.client)),
    };
    return [await compare(bench, comparison, sides, ROUNDS)];
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

/** @returns The 99th percentile of the durations of calls during `HELD_MS`. */
async function slowCallUs(client: DevtoolsClient): Promise<number> {
  const frame = client.frame("Browser.getVersion");
  return quantileOf(await timeEachMs(() => client.exchange(frame), { forMs: HELD_MS }), 0.99) * 1000;
}
