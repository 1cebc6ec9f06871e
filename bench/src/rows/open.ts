import type { Bench, Row } from "../bench.ts";
import { ROUNDS } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { differences, medianOf, spreadOf } from "../measure/statistics.ts";
import { ms, signed, toText } from "../report/units.ts";
import type { WireOptions } from "../../../server/src/domain/browser/open-options.ts";
import { BareBrowsers } from "../subjects/bare-browser.ts";
import type { Server } from "../subjects/server.ts";

const MAX_SERVICE_MS = 40;
const MAX_SANDBOX_MS = 90;

/** A cold Open, compared with starting the same browser without the service: in the same sandbox, and without one. */
function openRow(name: string, title: string, options: WireOptions): Row {
  return {
    name,
    async measure(bench: Bench) {
      const server = await bench.server("sandbox");
      const sandboxed = await BareBrowsers.prepare(bench.newFolder(), "sandbox", options);
      const raw = await BareBrowsers.prepare(bench.newFolder(), "none", options);
      const times = await interleave(
        { raw: () => raw.time(), sandboxed: () => sandboxed.time(), open: () => timeOpen(server, options) },
        { ...ROUNDS, rounds: 15 },
        bench.report,
      );
      const service = spreadOf(differences(times.open, times.sandboxed));
      const sandbox = spreadOf(differences(times.sandboxed, times.raw));
      const [rawMs, sandboxedMs, openMs] = [times.raw, times.sandboxed, times.open].map(medianOf).map(ms);
      return [
        {
          name: `cold Open, ${title}: request → first answer`,
          ours: `${openMs}`,
          baseline: `sandboxed start ${sandboxedMs} (raw ${rawMs})`,
          compared: toText(service, signed(ms)),
          target: `≤ a sandboxed start + ${MAX_SERVICE_MS} ms`,
          isMet: service.median <= MAX_SERVICE_MS,
        },
        {
          name: `sandboxed start, ${title}: process → first answer`,
          ours: `${sandboxedMs}`,
          baseline: `raw start ${rawMs}`,
          compared: toText(sandbox, signed(ms)),
          target: `≤ a raw start + ${MAX_SANDBOX_MS} ms`,
          isMet: sandbox.median <= MAX_SANDBOX_MS,
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
