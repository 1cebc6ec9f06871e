/** The demand for a set of options, and the set's slots for warm browsers. */
type Demand = {
  /** The number of Open requests, each weighted by its age. */
  readonly opens: number;
  /** Slots assigned by the operator. */
  readonly fixed: number;
  /** Additional slots. */
  readonly added: number;
};

/** Half-life of an Open request's weight, in ms. */
const HALF_LIFE_MS = 300_000;

/** How long a slot stays empty after an Open request uses its browser: the delay, the queue and the start. */
const EMPTY_MS = 2000;

/**
 * Minimum gain for a set to receive a slot: about two Open requests within ten minutes. A single request isn't enough,
 * because every request with new options would then start a second browser.
 */
const MIN_TO_GET = 1.25;
/** Minimum gain for a set to keep a slot: a set loses its slot about a quarter of an hour after two Open requests. */
const MIN_TO_KEEP = 0.25;
/** Minimum gain ratio for moving a slot to another set, so that sets with equal gains don't keep swapping slots. */
const MIN_RATIO_TO_MOVE = 2;

/** Returns how much `opens` still counts after `ageMs`. */
export function fade(opens: number, ageMs: number): number {
  return opens * 2 ** (-ageMs / HALF_LIFE_MS);
}

/**
 * Distributes additional slots.
 * @param limit The number of additional slots.
 * @returns The demands that receive the slots, in descending order of the slots' usefulness.
 */
export function addSlots<Wanted extends Demand>(demands: readonly Wanted[], limit: number): readonly Wanted[] {
  return demands
    .flatMap((demand) => rateSlots(demand, limit).map((worth) => ({ demand, worth })))
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, limit)
    .map(({ demand }) => demand);
}

/**
 * Rates each possible slot of a set by its gain: the number of Open requests that find a ready browser only because of
 * this slot. Erlang's loss formula yields the share of requests that find no browser, so each slot gains less than the
 * previous one.
 */
function rateSlots({ opens, fixed, added }: Demand, limit: number): readonly number[] {
  const load = ((opens * Math.LN2) / HALF_LIFE_MS) * EMPTY_MS;
  const worths: number[] = [];
  let missed = 1;
  for (let slot = 1; slot <= fixed + limit; slot += 1) {
    const missedWithSlot = (load * missed) / (slot + load * missed);
    const gain = opens * (missed - missedWithSlot);
    const isHeld = slot <= fixed + added;
    if (gain < (isHeld ? MIN_TO_KEEP : MIN_TO_GET)) break;
    if (slot > fixed) worths.push(isHeld ? gain * MIN_RATIO_TO_MOVE : gain);
    missed = missedWithSlot;
  }
  return worths;
}
