import { randomUUID } from "node:crypto";
import { type Bench, ROUNDS, type Row } from "../../bench.ts";
import { interleave, type Side } from "../../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../../measure/statistics.ts";
import { timeEachMs } from "../../measure/time.ts";
import { ms, signed, toText } from "../../report/units.ts";
import { openBrowser } from "../../subjects/browsers/open-browser.ts";

const BROWSERS = 5;
/** One after the other. A round is their median. */
const REQUESTS = 100;
const MAX_ADDED_MS = 1;
const MAX_REPLAY_MS = 5;

/** Info and Account/Get, each of one browser or account, compared with Get. */
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
    return (["info", "account"] as const).map((side) => {
      const added = spreadOf(differences(measured[side], measured.get));
      return {
        name: `${side === "info" ? "Info" : "Account/Get"}, ${BROWSERS} browsers open, 1 connection`,
        ours: ms(medianOf(measured[side])),
        baseline: `Get ${ms(medianOf(measured.get))}`,
        compared: toText(added, signed(ms)),
        target: `≤ + ${MAX_ADDED_MS} ms`,
        isMet: added.median <= MAX_ADDED_MS,
      };
    });
  },
};

/** An Open that is repeated with its Idempotency-Key, while its browser is open. */
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
    const added = spreadOf(differences(measured.replay, measured.get));
    return [
      {
        name: "Open, repeated with its Idempotency-Key, 1 connection",
        ours: ms(medianOf(measured.replay)),
        baseline: `Get ${ms(medianOf(measured.get))}`,
        compared: toText(added, signed(ms)),
        target: `≤ ${MAX_REPLAY_MS} ms`,
        isMet: medianOf(measured.replay) <= MAX_REPLAY_MS,
      },
    ];
  },
};

function timed(request: () => Promise<unknown>): Side {
  return async () => medianOf(await timeEachMs(request, { turns: REQUESTS }));
}
