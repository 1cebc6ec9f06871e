import { setTimeout as wait } from "node:timers/promises";
import type { Bench, Row } from "../bench.ts";
import { interleave } from "../measure/interleave.ts";
import { differences, medianOf } from "../measure/statistics.ts";
import { descendantsOf, isXvnc, readProgram, readPssBytes } from "../measure/processes.ts";
import type { Figure } from "../report/figure.ts";
import { MB, mb, signed } from "../report/units.ts";
import type { WireOptions } from "../../../server/src/domain/browser/open-options.ts";
import { BareBrowsers } from "../subjects/bare-browser.ts";

const BROWSERS = 4;
/** From the last Open until the memory of all browsers is read. */
const REST_MS = 5000;
const ROUNDS = { rounds: 3, warmUps: 0 };

/** The parts of a browser. "sandbox" is every process that is neither Chromium nor part of its screen. */
const PARTS = ["Chromium", "Xvnc", "Openbox", "sandbox"] as const;
type Part = (typeof PARTS)[number];

const KINDS: readonly { readonly name: string; readonly options: WireOptions; readonly maxBytes: number }[] = [
  { name: "graphical", options: {}, maxBytes: 230 * MB },
  { name: "headless", options: { Headless: true }, maxBytes: 190 * MB },
  { name: "ChromeHeadlessShell", options: { Browser: 3 }, maxBytes: 95 * MB },
];

/** The memory of an open browser, compared with a browser that is started by hand. */
export const browserMemory: Row = {
  name: "browser-memory",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const kind of KINDS) figures.push(await measureKind(bench, kind));
    return figures;
  },
};

async function measureKind(bench: Bench, { name, options, maxBytes }: (typeof KINDS)[number]): Promise<Figure> {
  const server = await bench.server("sandbox");
  const bare = await BareBrowsers.prepare(bench.newFolder(), "none", options);
  const parts: Record<"raw" | "ours", Record<Part, number>[]> = { raw: [], ours: [] };
  const open = async (): Promise<AsyncDisposable> => {
    const address = await server.open(options);
    return { [Symbol.asyncDispose]: () => server.close(address) };
  };
  const side = (which: keyof typeof parts, openOne: () => Promise<AsyncDisposable>) => async (): Promise<number> => {
    const measured = await readMean(openOne);
    parts[which].push(measured);
    return PARTS.reduce((sum, part) => sum + measured[part], 0);
  };
  const totals = await interleave(
    { raw: side("raw", () => bare.open()), ours: side("ours", open) },
    ROUNDS,
    bench.report,
  );
  const medianOfPart = (which: keyof typeof parts, part: Part): number =>
    medianOf(parts[which].map((round) => round[part]));
  const describe = (which: keyof typeof parts, wanted: readonly Part[]): string[] =>
    wanted.flatMap((part) => {
      const bytes = medianOfPart(which, part);
      return bytes < MB / 2 ? [] : `${part} ${mb(bytes)}`;
    });
  const difference = signed(mb)(medianOf(differences(totals.ours, totals.raw)));
  return {
    name: `memory of an open browser, ${name}`,
    ours: mb(medianOf(totals.ours)),
    baseline: `raw ${describe("raw", PARTS).join(" + ")}`,
    compared: [difference, ...describe("ours", ["Openbox", "sandbox"])].join(", "),
    target: `≤ ${maxBytes / MB} MB`,
    isMet: medianOf(totals.ours) <= maxBytes,
  };
}

/** Opens some browsers. @returns The average memory of one. */
async function readMean(open: () => Promise<AsyncDisposable>): Promise<Record<Part, number>> {
  const others = new Set(descendantsOf(process.pid));
  await using browsers = new AsyncDisposableStack();
  for (let index = 0; index < BROWSERS; index += 1) browsers.use(await open());
  await wait(REST_MS);
  const bytes: Record<Part, number> = { Chromium: 0, Xvnc: 0, Openbox: 0, sandbox: 0 };
  for (const pid of descendantsOf(process.pid).filter((each) => !others.has(each))) {
    bytes[toPart(readProgram(pid) ?? "")] += readPssBytes(pid) / BROWSERS;
  }
  return bytes;
}

function toPart(program: string): Part {
  if (/chrom/.test(program)) return "Chromium";
  if (isXvnc(program)) return "Xvnc";
  return program === "openbox" ? "Openbox" : "sandbox";
}
