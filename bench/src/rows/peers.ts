import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Bench, Row } from "../bench.ts";
import { ROUNDS, interleave } from "../measure/interleave.ts";
import { readServerBytes } from "../measure/processes.ts";
import { differences, medianOf, ratios } from "../measure/statistics.ts";
import { type Comparison, compare, toDifference, toFigure } from "../report/comparison.ts";
import type { Figure } from "../report/figure.ts";
import { mb, ms, perSecond, signed, times, us } from "../report/units.ts";
import { measureRate } from "../subjects/processes/load.ts";
import { connectDirectly, openAndAsk, openBrowser } from "../subjects/browsers/open-browser.ts";
import type { FoundPeer } from "../subjects/peers/peer.ts";
import { RawBrowsers } from "../subjects/browsers/raw-browser.ts";
import { timeCallUs } from "./devtools/call.ts";
import { timeOpen } from "./opens/open.ts";
import { measureLoop } from "./opens/opens-at-once.ts";

/** The only kind of browser that all peers can open. */
const HEADLESS = { Browser: 2, Headless: true } as const;
/** Load placed on a server before its memory is read a second time. */
const LOAD = { seconds: 24 };

/** Returns one peer's rows, which measure the service and the peer alternately. */
export function toPeerRows(found: FoundPeer): readonly Row[] {
  const title = `${found.kind.name} ${found.version}`;
  const row = (name: string, measure: (bench: Bench, found: FoundPeer, title: string) => Promise<Figure[]>): Row => ({
    name: `${found.kind.name.toLowerCase()}-${name}`,
    measure: (bench) => measure(bench, found, title),
  });
  return [row("call", measureCall), row("open", measureOpen), row("loop", measureLoops), row("memory", measureMemory)];
}

/** Returns a figure whose target is met if the service is at least as fast as the peer. */
function toPeerFigure(
  { kind }: FoundPeer,
  comparison: Omit<Comparison, "of">,
  sides: Parameters<typeof toFigure>[1],
): Figure {
  return { ...toFigure({ ...comparison, atMost: 1, of: kind.name }, sides), target: `≤ ${kind.name}` };
}

/** Subtracts the times of the same calls made directly to the peer's browser and to an unsandboxed browser. */
async function measureCall(bench: Bench, found: FoundPeer, title: string): Promise<Figure[]> {
  const [open, isolated] = [await bench.server("none"), await bench.server("sandbox")];
  await using peer = await bench.newPeer(found);
  await using _browser = await openBrowser(open, HEADLESS);
  await using ours = await openBrowser(isolated, HEADLESS);
  await using theirs = await peer.open();
  using ourDirect = await connectDirectly(open);
  using theirDirect = await connectDirectly(peer);
  const measured = await interleave(
    {
      ourDirect: () => timeCallUs(ourDirect),
      ours: () => timeCallUs(ours.client),
      theirDirect: () => timeCallUs(theirDirect),
      theirs: () => timeCallUs(theirs.client),
    },
    ROUNDS,
    bench.report,
  );
  const ourAdds = differences(measured.ours, measured.ourDirect);
  const theirAdds = differences(measured.theirs, measured.theirDirect);
  const comparison = {
    name: "time added to a DevTools call",
    ...{ unit: signed(us), baseline: title, note: ` (direct ${us(medianOf(measured.theirDirect))})` },
  };
  return [toPeerFigure(found, comparison, { ours: ourAdds, base: theirAdds })];
}

async function measureOpen(bench: Bench, found: FoundPeer, title: string): Promise<Figure[]> {
  const server = await bench.server("sandbox");
  await using peer = await bench.newPeer(found);
  const raw = await RawBrowsers.prepare(bench.newFolder(), HEADLESS);
  const measured = await interleave(
    {
      raw: () => raw.time(),
      ours: () => timeOpen(server, HEADLESS),
      theirs: async () => {
        const startedMs = performance.now();
        await using _browser = await peer.open();
        return performance.now() - startedMs;
      },
    },
    ROUNDS,
    bench.report,
  );
  const comparison = {
    name: "cold open, headless Chromium, relative to a raw start",
    ...{ unit: times, baseline: title, note: ` (raw start ${ms(medianOf(measured.raw))})` },
  };
  const toRaw = (side: readonly number[]): number[] => ratios(side, measured.raw);
  return [toPeerFigure(found, comparison, { ours: toRaw(measured.ours), base: toRaw(measured.theirs) })];
}

async function measureLoops(bench: Bench, found: FoundPeer, title: string): Promise<Figure[]> {
  const { atOnce, name } = found.kind;
  const server = await bench.server("sandbox");
  await using peer = await bench.newPeer(found);
  const comparison = {
    name: `open → close loop, ${atOnce} at a time, headless Chromium`,
    ...{ unit: perSecond, baseline: title, atLeast: 1, of: name },
  };
  const sides = {
    ours: () => measureLoop(atOnce, async () => server.close(await openAndAsk(server, HEADLESS))),
    base: () =>
      measureLoop(atOnce, async () => {
        await using _browser = await peer.open();
      }),
  };
  return [{ ...(await compare(bench, comparison, sides, { rounds: 7 })), target: `≥ ${name}` }];
}

/** Measures the memory of Node processes, without browsers. */
async function measureMemory(bench: Bench, found: FoundPeer, title: string): Promise<Figure[]> {
  const folder = bench.newFolder();
  await mkdir(folder);
  const loaded: Record<"ours" | "theirs", number[]> = { ours: [], theirs: [] };
  const measure = async (side: keyof typeof loaded, pid: number, url: URL): Promise<number> => {
    const fresh = readServerBytes(pid);
    await measureRate(url, LOAD, [], join(folder, "log"));
    loaded[side].push(readServerBytes(pid));
    return fresh;
  };
  const fresh = await interleave(
    {
      ours: async () => {
        await using server = await bench.newServer({});
        return await measure("ours", server.pid, new URL("/healthz", server.url));
      },
      theirs: async () => {
        await using peer = await bench.newPeer(found);
        return await measure("theirs", peer.pid, peer.probe);
      },
    },
    { rounds: 3, warmUps: 0 },
    bench.report,
  );
  const figure = (name: string, measured: typeof loaded): Figure => {
    const [ours, base] = [[medianOf(measured.ours)], [medianOf(measured.theirs)]];
    const about = { name, unit: mb, baseline: title, maxAdded: 0 };
    return { ...toDifference(about, { ours, base }), target: `≤ ${found.kind.name}` };
  };
  return [
    figure("server memory after start", fresh),
    figure(`server memory after ${LOAD.seconds} s of its cheapest GET request`, loaded),
  ];
}
