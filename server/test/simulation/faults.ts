import { newRandom } from "../faults/random.ts";
import { hasFakeTime } from "../support/machine/fake-time.ts";
import { findNetworkObstacle } from "../support/machine/network.ts";

export const FAULTS = [
  "kill worker",
  "kill front-end",
  "stop worker",
  "stop front-end",
  "restart database",
  "kill backend",
  "terminate backends",
  "fill database disk",
  "kill all workers",
  "cut worker off from the database",
  "cut front-end off from the database",
  "cut worker off from the front-ends",
  "move clock",
  "upgrade",
] as const;
export type FaultName = (typeof FAULTS)[number];

const noNetwork = findNetworkObstacle();

/** Returns the reason why a fault can't strike on this machine; undefined if it can. */
export function findObstacle(name: FaultName): string | undefined {
  if (name === "move clock" && !hasFakeTime) return "it needs libfaketime, which `npm run setup` installs";
  if (name === "fill database disk" && process.getuid?.() !== 0) return "only root can mount a small disk";
  return name.startsWith("cut") ? noNetwork : undefined;
}

/** Faults that can strike on this machine. */
export const POSSIBLE_FAULTS = FAULTS.filter((name) => findObstacle(name) === undefined);

export type FaultOptions = {
  readonly seed: number;
  readonly seconds: number;
  /** Number of strikes. */
  readonly faults: number;
  readonly faultNames: readonly FaultName[];
  /** Whether two faults strike at the same time. */
  readonly inPairs: boolean;
};

/** Faults, when they strike (measured from the start of the load), and how long lasting faults last, in ms. */
export type Planned = { readonly names: readonly FaultName[]; readonly atMs: number; readonly holdMs: number };

/** All faults begin and end within this part of the run, given as fractions. */
const [FIRST, LAST] = [0.2, 0.75];
/**
 * Minimum and maximum duration of a fault, in seconds. A fault can last longer than the ten seconds after which a
 * server that doesn't report counts as dead.
 */
const HOLD_S = [2, 16] as const;

/** Spreads faults over a run. Uses each fault once before repeating any. The result depends only on the seed. */
export function planFaults({ seed, seconds, faults, faultNames, inPairs }: FaultOptions): Planned[] {
  const random = newRandom(seed);
  let left: FaultName[] = [];
  const draw = (): FaultName => {
    if (left.length === 0) left = [...faultNames];
    const name = random.oneOf(left) as FaultName;
    left = left.filter((one) => one !== name);
    return name;
  };
  const stepMs = (seconds * 1000 * (LAST - FIRST)) / Math.max(1, faults);
  return Array.from({ length: faults }, (_, at) => ({
    names: inPairs ? [draw(), draw()] : [draw()],
    atMs: seconds * 1000 * FIRST + (at + random.between(0, 0.5)) * stepMs,
    holdMs: Math.min(random.between(...HOLD_S) * 1000, stepMs),
  }));
}
