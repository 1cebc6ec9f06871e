import type { Bench, Row } from "../../bench.ts";
import type { DevtoolsClient } from "../../devtools/client.ts";
import { attachToPage, evaluate } from "../../devtools/page.ts";
import type { Side } from "../../measure/interleave.ts";
import { medianOf } from "../../measure/statistics.ts";
import { timeEachMs, timeMs } from "../../measure/time.ts";
import { type Comparison, compare } from "../../report/comparison.ts";
import type { Figure } from "../../report/figure.ts";
import { ms, perSecond } from "../../report/units.ts";
import { connectDirectly, openBrowser } from "../../subjects/browsers/open-browser.ts";

const PIPELINED = 20_000;
const MIN_PIPELINED = 0.85;
const MAX_TRANSFER = 1.2;
const TRANSFER_CHARACTERS = 5_000_000;
/** A round's value is the median of several transfers, because single transfers vary too much. */
const TRANSFERS = 5;
const SCREEN = { width: 1920, height: 1080, deviceScaleFactor: 1, mobile: false };

/** Draws a page whose screenshot is as large and takes as much work as an ordinary page's screenshot. */
const DRAW_PAGE = `
  document.body.innerHTML = Array.from({ length: 100 }, (_, index) =>
    '<p style="margin:0;float:left;width:25%;height:40px;overflow:hidden;background:linear-gradient(' + index * 7 +
    'deg,hsl(' + index * 11 + ' 70% 80%),hsl(' + index * 17 + ' 60% 60%))">' + 'Some words of text, ' + index + '. ' +
    'The quick brown fox jumps over the lazy dog.</p>').join("");
  document.body.children.length`;

/** Prepares a measurement with a client before timing starts. */
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
  expectLength(String(await evaluate(client, session, expression)).length);
  const frame = client.frame("Runtime.evaluate", { expression }, session);
  return () => timeTransferMs(client, frame);
};

export const upWork: Work = async (client, session) => {
  const expression = `"${"x".repeat(TRANSFER_CHARACTERS)}".length`;
  expectLength(await evaluate(client, session, expression));
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

async function timeTransferMs(client: DevtoolsClient, frame: Buffer): Promise<number> {
  return medianOf(await timeEachMs(() => client.exchange(frame), { turns: TRANSFERS }));
}

function expectLength(length: unknown): void {
  if (length !== TRANSFER_CHARACTERS) throw new Error(`The browser returned ${String(length)} characters.`);
}

/** Runs the same work over a direct connection and through the gateway in a sandboxed browser. */
async function measureWork(bench: Bench, work: Work, comparison: Comparison): Promise<Figure> {
  const [open, isolated] = [await bench.server("none"), await bench.server("sandbox")];
  await using _browser = await openBrowser(open, { Browser: 2, Headless: true });
  await using sandboxed = await openBrowser(isolated, { Browser: 2, Headless: true });
  using direct = await connectDirectly(open);
  const prepare = async (client: DevtoolsClient): Promise<Side> => work(client, await attachToPage(client));
  return await compare(bench, comparison, { base: await prepare(direct), ours: await prepare(sandboxed.client) });
}

function bulkRow(name: string, work: Work, wanted: Omit<Comparison, "baseline" | "of">): Row {
  const comparison = { ...wanted, baseline: "direct connection", of: "direct connection" };
  return { name, measure: async (bench) => [await measureWork(bench, work, comparison)] };
}

export const pipelined = bulkRow("pipelined", pipelinedWork, {
  name: "20,000 pipelined Runtime.evaluate",
  unit: perSecond,
  atLeast: MIN_PIPELINED,
});

function transferRow(name: string, title: string, work: Work): Row {
  return bulkRow(name, work, { name: title, unit: ms, atMost: MAX_TRANSFER });
}

export const down = transferRow("down", "download of 5 MB over DevTools", downWork);
export const up = transferRow("up", "upload of 5 MB over DevTools", upWork);
export const screenshot = transferRow("screenshot", "1920×1080 screenshot", screenshotWork);
