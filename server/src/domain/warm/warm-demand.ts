/** How much an option set is wanted, and how many slots for warm browsers it has. */
export type Demand = {
  /** Open requests for it, each of which has faded since. */
  readonly opens: number;
  /** Slots that the operator gave it. */
  readonly fixed: number;
  /** Slots that it has beyond these. */
  readonly added: number;
};

/** An Open request counts half as much after this time, a quarter after twice the time, and so on. */
const HALF_LIFE_MS = 300_000;

/** How long a slot stays without a ready browser after an Open request took it: the delay, the turn and the start. */
const EMPTY_MS = 2000;

/**
 * A set gets a slot for what two Open requests within ten minutes would gain. One is not enough: otherwise, everyone
 * who opens many different sets would start as many browsers again.
 */
const MIN_TO_GET = 1.25;
/** It keeps a slot until the gain has faded to this, a quarter of an hour after two Open requests. */
const MIN_TO_KEEP = 0.25;
/**
 * A slot moves to another set only if it gains this many times as much there. Otherwise, equal sets would take turns.
 */
const MIN_RATIO_TO_MOVE = 2;

/** What is left of `opens` after some time. */
export function fade(opens: number, ageMs: number): number {
  return opens * 2 ** (-ageMs / HALF_LIFE_MS);
}

/**
 * Distributes slots beyond the fixed ones.
 * @param limit How many slots there are.
 * @returns For each slot the demand of its set, the most useful slot first.
 */
export function addSlots<Wanted extends Demand>(demands: readonly Wanted[], limit: number): readonly Wanted[] {
  return demands
    .flatMap((demand) => rateSlots(demand, limit).map((worth) => ({ demand, worth })))
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, limit)
    .map(({ demand }) => demand);
}

/**
 * Rates each slot that a set could get, by the Open requests that would find a ready browser only with this slot.
 * Erlang's loss formula gives the share that finds no browser, so each slot gains less than the one before.
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
