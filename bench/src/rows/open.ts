import type { Bench, Row } from "../bench.ts";
import { ROUNDS } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../measure/statistics.ts";
import { ms, signed, toText } from "../report/units.ts";
import type { WireOptions } from "../../../server/src/domain/browser/open-options.ts";
import { BareBrowsers } from "../subjects/bare-browser.ts";
import type { Server } from "../subjects/server.ts";

const MAX_SERVICE_MS = 40;
const MAX_JAIL_MS = 90;

/** A cold Open, beside the same browser started in the same jail without the service, and without a jail. */
function openRow(name: string, title: string, options: WireOptions): Row {
  return {
    name,
    async measure(bench: Bench) {
      const server = await bench.server("jail");
      const jailed = await BareBrowsers.prepare(bench.newFolder(), "jail", options);
      const raw = await BareBrowsers.prepare(bench.newFolder(), "none", options);
      const times = await interleave(
        { raw: () => raw.time(), jailed: () => jailed.time(), open: () => timeOpen(server, options) },
        { ...ROUNDS, rounds: 15 },
        bench.tell,
      );
      const service = spreadOf(differences(times.open, times.jailed));
      const jail = spreadOf(differences(times.jailed, times.raw));
      const [rawMs, jailedMs, openMs] = [times.raw, times.jailed, times.open].map(medianOf).map(ms);
      return [
        {
          name: `cold Open, ${title}: request → first answer`,
          ours: `${openMs}`,
          baseline: `jailed start ${jailedMs} (raw ${rawMs})`,
          compared: toText(service, signed(ms)),
          target: `≤ a jailed start + ${MAX_SERVICE_MS} ms`,
          isMet: service.median <= MAX_SERVICE_MS,
        },
        {
          name: `jailed start, ${title}: process → first answer`,
          ours: `${jailedMs}`,
          baseline: `raw start ${rawMs}`,
          compared: toText(jail, signed(ms)),
          target: `≤ a raw start + ${MAX_JAIL_MS} ms`,
          isMet: jail.median <= MAX_JAIL_MS,
        },
      ];
    },
  };
}

async function timeOpen(server: Server, options: WireOptions): Promise<number> {
  const startedMs = performance.now();
  const address = await server.open(options);
  using client = await server.connect(address);
  await client.call("Browser.getVersion");
  const tookMs = performance.now() - startedMs;
  client[Symbol.dispose]();
  await server.close(address);
  return tookMs;
}

export const openChromium = openRow("open-chromium", "headless Chromium", { Browser: 2, Headless: true });
export const openShell = openRow("open-shell", "ChromeHeadlessShell", { Browser: 3 });
