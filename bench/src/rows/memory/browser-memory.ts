import { setTimeout as wait } from "node:timers/promises";
import type { Bench, Row } from "../../bench.ts";
import { interleave } from "../../measure/interleave.ts";
import { differences, medianOf } from "../../measure/statistics.ts";
import { descendantsOf, isXvnc, readProgram, readPssBytes } from "../../measure/processes.ts";
import type { Figure } from "../../report/figure.ts";
import { toDifference } from "../../report/comparison.ts";
import { MB, mb, signed } from "../../report/units.ts";
import type { WireOptions } from "../../../../server/src/domain/browser/open-options.ts";
import { RawBrowsers } from "../../subjects/browsers/raw-browser.ts";

/** Delay between the response to Open and the memory measurement, in ms. */
const REST_MS = 5000;
/** During the warm-up, the server begins to prepare sandboxes for this kind of browser. */
const ROUNDS = { rounds: 5, warmUps: 1 };

/** The parts of a browser. "sandbox" covers all processes outside Chromium and the screen. */
const PARTS = ["Chromium", "Xvnc", "Openbox", "sandbox"] as const;
type Part = (typeof PARTS)[number];

type Kind = {
  readonly name: string;
  readonly options: WireOptions;
  readonly maxBytes: number;
  readonly maxProcesses: number;
};

const KINDS: readonly Kind[] = [
  { name: "graphical", options: { Browser: 2 }, maxBytes: 324 * MB, maxProcesses: 13 },
  { name: "headless", options: { Browser: 2, Headless: true }, maxBytes: 313 * MB, maxProcesses: 10 },
  { name: "ChromeHeadlessShell", options: { Browser: 3 }, maxBytes: 178 * MB, maxProcesses: 8 },
];

/** The memory used by each part of a browser, in bytes, and the browser's number of processes. */
type BrowserNeeds = Record<Part | "processes", number>;

/** An open browser's memory and processes, compared with a browser that was started by hand. */
export const browserMemory: Row = {
  name: "browser-memory",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const kind of KINDS) figures.push(...(await measureKind(bench, kind)));
    return figures;
  },
};

async function measureKind(bench: Bench, { name, options, maxBytes, maxProcesses }: Kind): Promise<Figure[]> {
  const server = await bench.server("sandbox");
  const rawBrowsers = await RawBrowsers.prepare(bench.newFolder(), options);
  const open = async (): Promise<AsyncDisposable> => {
    const address = await server.open(options);
    return { [Symbol.asyncDispose]: () => server.close(address) };
  };
  const all: Record<"raw" | "ours", BrowserNeeds[]> = { raw: [], ours: [] };
  const side = (which: keyof typeof all, openOne: () => Promise<AsyncDisposable>) => async (): Promise<number> => {
    const needs = await readNeeds(openOne);
    all[which].push(needs);
    return PARTS.reduce((sum, part) => sum + needs[part], 0);
  };
  const totals = await interleave(
    { raw: side("raw", () => rawBrowsers.open()), ours: side("ours", open) },
    ROUNDS,
    bench.report,
  );
  const medianNeed = (which: keyof typeof all, need: keyof BrowserNeeds): number =>
    medianOf(all[which].map((round) => round[need]));
  const describe = (which: keyof typeof all, wanted: readonly Part[]): string[] =>
    wanted.flatMap((part) => {
      const bytes = medianNeed(which, part);
      return bytes < MB / 2 ? [] : `${part} ${mb(bytes)}`;
    });
  const difference = signed(mb)(medianOf(differences(totals.ours, totals.raw)));
  return [
    {
      name: `memory of an open browser, ${name}`,
      ours: mb(medianOf(totals.ours)),
      baseline: `raw ${describe("raw", PARTS).join(" + ")}`,
      compared: [difference, ...describe("ours", ["Openbox", "sandbox"])].join(", "),
      target: `≤ ${maxBytes / MB} MB`,
      isMet: medianOf(totals.ours) <= maxBytes,
    },
    toDifference(
      { name: `processes of an open browser, ${name}`, unit: String, baseline: "raw", max: maxProcesses },
      { ours: [medianNeed("ours", "processes")], base: [medianNeed("raw", "processes")] },
    ),
  ];
}

/**
 * Measures the resources that a browser opens, including its sandbox: the sandbox was prepared earlier, but the server
 * prepares a replacement. No other browser may be open, because it would share the memory that holds the executables.
 */
async function readNeeds(open: () => Promise<AsyncDisposable>): Promise<BrowserNeeds> {
  const before = readAll();
  await using _browser = await open();
  await wait(REST_MS);
  const after = readAll();
  for (const need of [...PARTS, "processes"] as const) after[need] -= before[need];
  return after;
}

/** Adds up the memory and processes of all sandboxes and raw browsers. */
function readAll(): BrowserNeeds {
  const needs: BrowserNeeds = { Chromium: 0, Xvnc: 0, Openbox: 0, sandbox: 0, processes: 0 };
  for (const pid of descendantsOf(process.pid)) {
    const program = readProgram(pid) ?? "";
    if (program === "node") continue;
    needs[toPart(program)] += readPssBytes(pid);
    needs.processes += 1;
  }
  return needs;
}

function toPart(program: string): Part {
  if (/chrom/.test(program)) return "Chromium";
  if (isXvnc(program)) return "Xvnc";
  return program === "openbox" ? "Openbox" : "sandbox";
}
