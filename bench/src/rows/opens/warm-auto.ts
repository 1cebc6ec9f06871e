import { totalmem } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { WireOptions } from "../../../../server/src/domain/browser/open-options.ts";
import type { Bench, Row } from "../../bench.ts";
import { descendantsOf, readProgram, readPssBytes } from "../../measure/processes.ts";
import { medianOf, quantileOf } from "../../measure/statistics.ts";
import type { Figure } from "../../report/figure.ts";
import { mb, ms, percent, perSecond, times } from "../../report/units.ts";
import { type Arrival, applyLoad, arrive, newRandom, newZipf } from "../../subjects/browsers/arrivals.ts";
import { timeOpenMs } from "../../subjects/browsers/open-browser.ts";
import type { Server } from "../../subjects/processes/server.ts";
import { measureLoop } from "./opens-at-once.ts";

const SEED = 1;
const EXPONENT = 1.1;
/** Load, as a share of the number of browsers that the machine can open and close per second. */
const LOAD = 0.2;
/** The load of additional Open requests, each of which starts a browser because its options are new. */
const NEW_OPTIONS_LOAD = 0.1;

/** The duration of the load before the measurement, and while the share of warm browsers is measured. */
const WARM_UP_MS = 300_000;
const MEASURED_MS = 60_000;
/** Rounds, each of which runs the load with and without refills. */
const TURNS = 4;
const TURN_MS = 30_000;
/** Time that the last warm browsers have to start after the load. */
const SETTLE_MS = 15_000;

/** Concurrency of the loop that measures how many browsers the machine can open and close per second. */
const AT_ONCE = 8;

const MIN_HIT_RATE = 0.9;
const MAX_MEMORY_SHARE = 0.1;
const MAX_RATIO = 1.1;

const KINDS: readonly WireOptions[] = [{}, { Headless: true }, { Browser: 3 }];
/** Twelve sets of options, ordered by decreasing frequency. */
const OPTION_SETS = ["", "--lang=de", "--lang=fr", "--lang=es"].flatMap((switches) =>
  KINDS.map((kind): WireOptions => ({ ...kind, Args: switches === "" ? [] : [switches] })),
);

/** Warm browsers for recently used options, with `RBS_WARM=auto`. */
export const warmAuto: Row = {
  name: "warm-auto",
  async measure(bench) {
    await using cold = await bench.newServer({ warm: 0 });
    const random = newRandom(SEED);
    const pick = newZipf(OPTION_SETS, EXPONENT, random);
    const capacity = await measureLoop(AT_ONCE, () => timeOpenMs(cold, pick()));
    const perS = capacity * LOAD;
    const load = (forMs: number): Arrival[] => arrive({ perS, forMs }, pick, random);

    await using auto = await bench.newServer({ warm: "auto" });
    await applyLoad(load(WARM_UP_MS), (options) => timeOpenMs(auto, options));
    const before = await readWarmOpens(auto);
    const opens = await applyLoad(load(MEASURED_MS), (options) => timeOpenMs(auto, options));
    const hitRate = ((await readWarmOpens(auto)) - before) / opens.length;

    const { withRefills, without } = await measureColdOpens(bench, {
      auto,
      cold,
      load,
      perS: capacity * NEW_OPTIONS_LOAD,
    });
    await wait(SETTLE_MS);
    const idleBytes = readBrowserBytes(auto);
    const [slow, slowWithout] = [quantileOf(withRefills, 0.99), quantileOf(without, 0.99)];
    const name = `RBS_WARM=auto, ${OPTION_SETS.length} option sets, ${perSecond(perS)}, seed ${SEED}`;
    return [
      {
        name: `${name}: Open requests that receive a warm browser`,
        ours: percent(hitRate),
        baseline: `requests with the most frequent options ${percent(1 / zipfSum())}`,
        compared: `median ${ms(medianOf(opens))}, p99 ${ms(quantileOf(opens, 0.99))}`,
        target: `≥ ${percent(MIN_HIT_RATE)}`,
        isMet: hitRate >= MIN_HIT_RATE,
      },
      {
        name: "RBS_WARM=auto: memory of the warm browsers",
        ours: mb(idleBytes),
        baseline: `the machine's memory ${mb(totalmem())}`,
        compared: percent(idleBytes / totalmem()),
        target: `≤ ${percent(MAX_MEMORY_SHARE)}`,
        isMet: idleBytes <= totalmem() * MAX_MEMORY_SHARE,
      },
      {
        name: "RBS_WARM=auto: p99 of cold Open requests during refills",
        ours: ms(slow),
        baseline: `RBS_WARM=0 under the same load ${ms(slowWithout)}`,
        compared: times(slow / slowWithout),
        target: `≤ ${MAX_RATIO} × without refills`,
        isMet: slow <= slowWithout * MAX_RATIO,
      },
    ] satisfies Figure[];
  },
};

function zipfSum(): number {
  return OPTION_SETS.reduce((sum, _, index) => sum + 1 / (index + 1) ** EXPONENT, 0);
}

type ColdLoad = {
  readonly auto: Server;
  readonly cold: Server;
  readonly load: (forMs: number) => Arrival[];
  /** Rate of Open requests with new options. */
  readonly perS: number;
};

/** Measures Open requests that must start a browser, on both servers under the same load. */
async function measureColdOpens(
  bench: Bench,
  { auto, cold, load, perS }: ColdLoad,
): Promise<Record<"withRefills" | "without", number[]>> {
  const random = newRandom(SEED + 1);
  let made = 0;
  const pickNew = (): WireOptions => {
    made += 1;
    return { ...KINDS[made % KINDS.length], Args: [`--user-agent=${made}`] };
  };
  const measured = { withRefills: [] as number[], without: [] as number[] };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const others = load(TURN_MS);
    const own = arrive({ perS, forMs: TURN_MS }, pickNew, random);
    const sides = [
      ["withRefills", auto],
      ["without", cold],
    ] as const;
    // Alternate the order, because other work on the machine varies over time.
    for (const [side, server] of turn % 2 === 0 ? sides : sides.toReversed()) {
      const [opens] = await Promise.all([
        applyLoad(own, (options) => timeOpenMs(server, options)),
        applyLoad(others, (options) => timeOpenMs(server, options)),
      ]);
      measured[side].push(...opens);
    }
    bench.report(turn + 1, TURNS);
  }
  return measured;
}

function readWarmOpens(server: Server): Promise<number> {
  return server.readMetric(/^rbs_open_seconds_count\{.*start="warm".*\} (\d+)$/gm);
}

/** Returns the memory of all programs that a server runs for its browsers. */
function readBrowserBytes(server: Server): number {
  const programs = descendantsOf(server.pid).filter((pid) => readProgram(pid) !== "node");
  return programs.reduce((sum, pid) => sum + readPssBytes(pid), 0);
}
