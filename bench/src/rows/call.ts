import { ROUNDS, type Row } from "../bench.ts";
import type { DevtoolsClient } from "../devtools/client.ts";
import { interleave } from "../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "../report/figure.ts";
import { signed, toText, us } from "../report/units.ts";
import { connectDirectly, openBrowser } from "../subjects/open-browser.ts";

const CALLS = 2000;
const MAX_JAIL_US = 160;
const MAX_GATEWAY_US = 45;

/** One `Browser.getVersion` after the other, over three ways; the first two lead to the same browser. */
export const call: Row = {
  name: "call",
  async measure(bench) {
    const [open, jail] = [await bench.server("none"), await bench.server("jail")];
    await using unconfined = await openBrowser(open, { Browser: 2, Headless: true });
    await using jailed = await openBrowser(jail, { Browser: 2, Headless: true });
    using direct = await connectDirectly(open);
    const times = await interleave(
      {
        direct: () => timeCallUs(direct),
        gateway: () => timeCallUs(unconfined.client),
        jail: () => timeCallUs(jailed.client),
      },
      ROUNDS,
      bench.tell,
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
      figure("one DevTools call through gateway and jail", times.jail, MAX_JAIL_US),
      figure("one DevTools call through the gateway alone", times.gateway, MAX_GATEWAY_US),
    ];
  },
};

/** @returns The median of a round's calls. */
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
