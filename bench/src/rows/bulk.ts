import { type Bench, ROUNDS, type Row } from "../bench.ts";
import type { DevtoolsClient } from "../devtools/client.ts";
import { attachToPage, evaluate } from "../devtools/page.ts";
import { interleave, type Side } from "../measure/interleave.ts";
import { medianOf, ratios, spreadOf } from "../measure/statistics.ts";
import type { Figure } from "../report/figure.ts";
import { ms, perSecond, times, toText, type Unit } from "../report/units.ts";
import { connectDirectly, openBrowser } from "../subjects/open-browser.ts";

const PIPELINED = 20_000;
const MIN_PIPELINED = 0.85;
const MAX_TRANSFER = 1.2;
const TRANSFER_CHARACTERS = 5_000_000;
/** A round takes the median of several transfers: a single one is too short to be stable. */
const TRANSFERS = 5;
const SCREEN = { width: 1920, height: 1080, deviceScaleFactor: 1, mobile: false };

/** Draws enough that a screenshot takes as much work and as many bytes as one of an ordinary page. */
const DRAW_PAGE = `
  document.body.innerHTML = Array.from({ length: 100 }, (_, index) =>
    '<p style="margin:0;float:left;width:25%;height:40px;overflow:hidden;background:linear-gradient(' + index * 7 +
    'deg,hsl(' + index * 11 + ' 70% 80%),hsl(' + index * 17 + ' 60% 60%))">' + 'Some words of text, ' + index + '. ' +
    'The quick brown fox jumps over the lazy dog.</p>').join("");
  document.body.children.length`;

/** Prepares a measurement with a client, outside the measured time. */
export type Work = (client: DevtoolsClient, session: string) => Promise<Side>;

export const pipelinedWork: Work = async (client, session) => {
  const expression = { expression: "1 + 1" };
  await evaluate(client, session, expression.expression);
  const frames = Buffer.concat(
    Array.from({ length: PIPELINED }, () => client.frame("Runtime.evaluate", expression, session)),
  );
  return async () => PIPELINED / ((await timeMs(() => client.exchange(frames, PIPELINED))) / 1000);
};

export const downWork: Work = async (client, session) => {
  const expression = `"x".repeat(${TRANSFER_CHARACTERS})`;
  await expectLength(String(await evaluate(client, session, expression)).length);
  const frame = client.frame("Runtime.evaluate", { expression }, session);
  return () => timeTransferMs(client, frame);
};

export const upWork: Work = async (client, session) => {
  const expression = `"${"x".repeat(TRANSFER_CHARACTERS)}".length`;
  await expectLength(await evaluate(client, session, expression));
  const frame = client.frame("Runtime.evaluate", { expression }, session);
  return () => timeTransferMs(client, frame);
};

const screenshotWork: Work = async (client, session) => {
  await client.call("Emulation.setDeviceMetricsOverride", SCREEN, session);
  await evaluate(client, session, DRAW_PAGE);
  await client.call("Page.captureScreenshot", {}, session);
  const frame = client.frame("Page.captureScreenshot", {}, session);
  return () => timeMs(() => client.exchange(frame));
};

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function timeTransferMs(client: DevtoolsClient, frame: Buffer): Promise<number> {
  const transfers: number[] = [];
  for (let index = 0; index < TRANSFERS; index += 1) transfers.push(await timeMs(() => client.exchange(frame)));
  return medianOf(transfers);
}

async function expectLength(length: unknown): Promise<void> {
  if (length !== TRANSFER_CHARACTERS) throw new Error(`The browser made ${String(length)} characters.`);
}

/** Does the same work directly, and through the gateway into a sandbox. */
async function measureWork(bench: Bench, work: Work): Promise<Record<"direct" | "sandboxed", number[]>> {
  const [open, isolated] = [await bench.server("none"), await bench.server("sandbox")];
  await using _browser = await openBrowser(open, { Browser: 2, Headless: true });
  await using sandboxed = await openBrowser(isolated, { Browser: 2, Headless: true });
  using direct = await connectDirectly(open);
  const prepare = async (client: DevtoolsClient): Promise<Side> => work(client, await attachToPage(client));
  const sides = {
    direct: await prepare(direct),
    sandboxed: await prepare(sandboxed.client),
  };
  return await interleave(sides, ROUNDS, bench.report);
}

type Wanted = {
  name: string;
  title: string;
  work: Work;
  unit: Unit;
  target: string;
  meets: (ratio: number) => boolean;
};

function bulkRow({ name, title, work, unit, target, meets }: Wanted): Row {
  return {
    name,
    async measure(bench): Promise<readonly Figure[]> {
      const measured = await measureWork(bench, work);
      const ratio = spreadOf(ratios(measured.sandboxed, measured.direct));
      return [
        {
          name: title,
          ours: unit(medianOf(measured.sandboxed)),
          baseline: `direct ${unit(medianOf(measured.direct))}`,
          compared: toText(ratio, times),
          target,
          isMet: meets(ratio.median),
        },
      ];
    },
  };
}

export const pipelined = bulkRow({
  name: "pipelined",
  title: "20,000 pipelined Runtime.evaluate",
  work: pipelinedWork,
  unit: perSecond,
  target: `≥ ${MIN_PIPELINED} × direct`,
  meets: (ratio) => ratio >= MIN_PIPELINED,
});

function transferRow(name: string, title: string, work: Work): Row {
  const meets = (ratio: number): boolean => ratio <= MAX_TRANSFER;
  return bulkRow({ name, title, work, unit: ms, target: `≤ ${MAX_TRANSFER} × direct`, meets });
}

export const down = transferRow("down", "5 MB down", downWork);
export const up = transferRow("up", "5 MB up", upWork);
export const screenshot = transferRow("screenshot", "1920×1080 screenshot", screenshotWork);
