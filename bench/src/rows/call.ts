import { ROUNDS, type Row } from "../bench.ts";
import type { DevtoolsClient } from "../devtools/client.ts";
import { interleave } from "../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "../report/figure.ts";
import { signed, toText, us } from "../report/units.ts";
import { connectDirectly, openBrowser } from "../subjects/open-browser.ts";

const CALLS = 2000;
const MAX_SANDBOX_US = 160;
const MAX_GATEWAY_US = 45;

/** Sends `Browser.getVersion` repeatedly over three connections; the first two lead to the same browser. */
export const call: Row = {
  name: "call",
  async measure(bench) {
    const [open, isolated] = [await bench.server("none"), await bench.server("sandbox")];
    await using browser = await openBrowser(open, { Browser: 2, Headless: true });
    await using sandboxed = await openBrowser(isolated, { Browser: 2, Headless: true });
    using direct = await connectDirectly(open);
    const times = await interleave(
      {
        direct: () => timeCallUs(direct),
        gateway: () => timeCallUs(browser.client),
        sandboxed: () => timeCallUs(sandboxed.client),
      },
      ROUNDS,
      bench.report,
    );
    const figure = (name: string, ours: readonly number[], maxUs: number): Figure => {
      const difference = spreadOf(differences(ours, times.direct));
      return {
        name,
        ours: us(medianOf(ours)),
        baseline: `direct ${us(medianOf(times.direct))}`,
        compared: toText(difference, signed(us)),
        target: `≤ direct + ${maxUs} µs`,
        isMet: difference.median <= maxUs,
      };
    };
    return [
      figure("one DevTools call through gateway and sandbox", times.sandboxed, MAX_SANDBOX_US),
      figure("one DevTools call through the gateway alone", times.gateway, MAX_GATEWAY_US),
    ];
  },
};

/** @returns The median time of one round's calls. */
async function timeCallUs(client: DevtoolsClient): Promise<number> {
  const frame = client.frame("Browser.getVersion");
  const times: number[] = [];
  for (let index = 0; index < CALLS; index += 1) {
    const startedMs = performance.now();
    await client.exchange(frame);
    times.push((performance.now() - startedMs) * 1000);
  }
  return medianOf(times);
}
