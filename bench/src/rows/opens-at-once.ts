import { ROUNDS, type Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import { ms, times, toText } from "../report/units.ts";
import { BareBrowsers } from "../subjects/bare-browser.ts";
import type { Server } from "../subjects/server.ts";

const AT_ONCE = 8;
const MAX_RATIO = 1.15;
const OPTIONS = { Browser: 2, Headless: true } as const;

/** Opens at once, until the last browser has answered. */
export const opensAtOnce: Row = {
  name: "opens-at-once",
  async measure(bench) {
    const server = await bench.server("sandbox");
    const sandboxed = await BareBrowsers.prepare(bench.newFolder(), "sandbox", OPTIONS);
    const measured = await interleave(
      { sandboxed: async () => Math.max(...(await sandboxed.timeAtOnce(AT_ONCE))), opens: () => timeOpens(server) },
      { ...ROUNDS, rounds: 10 },
      bench.report,
    );
    const ratio = spreadOf(ratios(measured.opens, measured.sandboxed));
    return [
      {
        name: `${AT_ONCE} concurrent Open requests, cold, headless Chromium`,
        ours: ms(medianOf(measured.opens)),
        baseline: `${AT_ONCE} sandboxed starts at once ${ms(medianOf(measured.sandboxed))}`,
        compared: toText(ratio, times),
        target: `≤ ${MAX_RATIO} × the sandboxed starts`,
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
