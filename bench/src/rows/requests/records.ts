import { randomUUID } from "node:crypto";
import type { Bench, Row } from "../../bench.ts";
import { ROUNDS, interleave, type Side } from "../../measure/interleave.ts";
import { medianOf } from "../../measure/statistics.ts";
import { timeEachMs } from "../../measure/time.ts";
import { toDifference } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { ms } from "../../report/units.ts";
import { openBrowser } from "../../subjects/browsers/open-browser.ts";

const BROWSERS = 5;
/** How many requests are sent per round, one after another. A round's value is their median. */
const REQUESTS = 100;
const MAX_ADDED_MS = 1;
const MAX_REPLAY_MS = 5;

/** Compares Info (one browser) and Account/Get (one account) with Get. */
export const records: Row = {
  name: "records",
  async measure(bench: Bench) {
    const server = await bench.server("sandbox");
    await using browsers = new AsyncDisposableStack();
    let address = "";
    for (let index = 0; index < BROWSERS; index += 1) {
      address = browsers.use(await openBrowser(server, { Browser: 3 })).address.href;
    }
    const measured = await interleave(
      {
        get: timed(() => server.call("getBrowsers")),
        info: timed(() => server.call("getBrowserInfo", { address })),
        account: timed(() => server.call("getAccount")),
      },
      ROUNDS,
      bench.report,
    );
    const figure = (operation: string, ours: readonly number[]): Figure => {
      const name = `${operation}, ${BROWSERS} open browsers, 1 connection`;
      return toDifference({ name, unit: ms, baseline: "Get", maxAdded: MAX_ADDED_MS }, { ours, base: measured.get });
    };
    return [figure("Info", measured.info), figure("Account/Get", measured.account)];
  },
};

/** An Open request that is repeated with the same Idempotency-Key while its browser is open. */
export const replayedOpen: Row = {
  name: "replayed-open",
  async measure(bench: Bench) {
    const server = await bench.server("sandbox");
    const key = { "idempotency-key": randomUUID() };
    const open = (): Promise<URL> => server.open({ Browser: 3 }, key);
    const address = await open();
    const measured = await interleave(
      { get: timed(() => server.call("getBrowsers")), replay: timed(open) },
      ROUNDS,
      bench.report,
    );
    await server.close(address);
    const name = "repeated Open with the same Idempotency-Key, 1 connection";
    const about = { name, unit: ms, baseline: "Get", max: MAX_REPLAY_MS };
    return [toDifference(about, { ours: measured.replay, base: measured.get })];
  },
};

function timed(request: () => Promise<unknown>): Side {
  return async () => medianOf(await timeEachMs(request, { turns: REQUESTS }));
}
