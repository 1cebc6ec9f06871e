import { ROUNDS, type Row } from "../bench.ts";
import type { DevtoolsClient } from "../devtools/client.ts";
import { interleave } from "../measure/interleave.ts";
import { differences, medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "../report/figure.ts";
import { signed, times, toText, us } from "../report/units.ts";
import { connectDirectly, connectThroughSplice, openBrowser } from "../subjects/open-browser.ts";

const CALLS = 2000;
const MAX_RATIO = 1.1;

/**
 * Sends `Browser.getVersion` repeatedly over four connections. The direct one, the bare splice's and the gateway's lead
 * to the same browser; the last one leads to a browser in a sandbox.
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
    const figure = (name: string, ours: readonly number[]): Figure => {
      const adds = differences(ours, measured.direct);
      const ratio = spreadOf(ratios(adds, spliceAdds));
      return {
        name,
        ours: signed(us)(medianOf(adds)),
        baseline: `a bare splice ${signed(us)(medianOf(spliceAdds))} (direct ${us(medianOf(measured.direct))})`,
        compared: toText(ratio, times),
        target: `≤ ${MAX_RATIO} × a bare splice`,
        isMet: ratio.median <= MAX_RATIO,
      };
    };
    return [
      figure("time added to a DevTools call by gateway and sandbox", measured.sandboxed),
      figure("time added to a DevTools call by the gateway alone", measured.gateway),
    ];
  },
};

/** @returns The median time of one round's calls. */
export async function timeCallUs(client: DevtoolsClient): Promise<number> {
  const frame = client.frame("Browser.getVersion");
  const calls: number[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const startedMs = performance.now();
    await client.exchange(frame);
    calls.push((performance.now() - startedMs) * 1000);
  }
  return medianOf(calls);
}
