import type { Row } from "../../bench.ts";
import type { DevtoolsClient } from "../../devtools/client.ts";
import { ROUNDS, interleave } from "../../measure/interleave.ts";
import { differences, medianOf } from "../../measure/statistics.ts";
import { timeEachMs } from "../../measure/time.ts";
import { toFigure } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { signed, us } from "../../report/units.ts";
import { connectDirectly, connectThroughSplice, openBrowser } from "../../subjects/browsers/open-browser.ts";

const CALLS = 2000;
const MAX_RATIO = 1.1;

/**
 * Sends `Browser.getVersion` repeatedly over four connections. Three connections (direct, through the bare splice and
 * through the gateway) reach the same browser. The fourth connection reaches a sandboxed browser through the gateway.
 */
export const call: Row = {
  name: "call",
  async measure(bench) {
    const [open, isolated] = [await bench.server("none"), await bench.server("sandbox")];
    await using browser = await openBrowser(open, { Browser: 2, Headless: true });
    await using sandboxed = await openBrowser(isolated, { Browser: 2, Headless: true });
    using direct = await connectDirectly(open);
    await using splice = await connectThroughSplice(open, bench.newFolder());
    const measured = await interleave(
      {
        direct: () => timeCallUs(direct),
        splice: () => timeCallUs(splice.client),
        gateway: () => timeCallUs(browser.client),
        sandboxed: () => timeCallUs(sandboxed.client),
      },
      ROUNDS,
      bench.report,
    );
    const spliceAdds = differences(measured.splice, measured.direct);
    const comparison = {
      ...{ unit: signed(us), baseline: "a bare splice", atMost: MAX_RATIO, of: "a bare splice" },
      note: ` (direct ${us(medianOf(measured.direct))})`,
    };
    const figure = (name: string, ours: readonly number[]): Figure =>
      toFigure({ ...comparison, name }, { ours: differences(ours, measured.direct), base: spliceAdds });
    return [
      figure("time added to a DevTools call by gateway and sandbox", measured.sandboxed),
      figure("time added to a DevTools call by the gateway alone", measured.gateway),
    ];
  },
};

/** @returns The median duration of one round's calls. */
export async function timeCallUs(client: DevtoolsClient): Promise<number> {
  const frame = client.frame("Browser.getVersion");
  return medianOf(await timeEachMs(() => client.exchange(frame), { turns: CALLS })) * 1000;
}
