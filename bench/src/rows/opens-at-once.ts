import { ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import { ms, times, toText } from "../report/units.ts";
import { BareBrowsers } from "../subjects/bare-browser.ts";
import type { Server } from "../subjects/server.ts";

const AT_ONCE = 8;
const MAX_RATIO = 1.15;
const OPTIONS = { Browser: 2, Headless: true } as const;

/** Until the last one has answered. */
export const opensAtOnce: Row = {
  name: "opens-at-once",
  async measure(bench) {
    const server = await bench.server("jail");
    const jailed = await BareBrowsers.prepare(bench.newFolder(), "jail", OPTIONS);
    const measured = await interleave(
      { jailed: async () => Math.max(...(await jailed.timeAtOnce(AT_ONCE))), opens: () => timeOpens(server) },
      { ...ROUNDS, rounds: 10 },
      bench.tell,
    );
    const ratio = spreadOf(ratios(measured.opens, measured.jailed));
    return [
      {
        name: `${AT_ONCE} Opens at once, cold, headless Chromium`,
        ours: ms(medianOf(measured.opens)),
        baseline: `${AT_ONCE} jailed starts at once ${ms(medianOf(measured.jailed))}`,
        compared: toText(ratio, times),
        target: `≤ ${MAX_RATIO} × the jailed starts`,
        isMet: ratio.median <= MAX_RATIO,
      },
    ];
  },
};

async function timeOpens(server: Server): Promise<number> {
  const startedMs = performance.now();
  const addresses = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const address = await server.open(OPTIONS);
      using client = await server.connect(address);
      await client.call("Browser.getVersion");
      return address;
    }),
  );
  const tookMs = performance.now() - startedMs;
  await Promise.all(addresses.map((address) => server.close(address)));
  return tookMs;
}
