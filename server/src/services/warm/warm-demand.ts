import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import { addSlots, fade } from "../../domain/warm/warm-demand.ts";
import { type WarmPlan, toLaunchOptions, toWarmKey } from "../../domain/warm/warm-set.ts";

/** Maximum number of remembered sets. When it is exceeded, the set with the fewest Opens is forgotten. */
const MAX_SETS = 1000;
/** Sets with longer keys are never remembered, so that tenants' switches can't fill memory. */
const MAX_KEY_CHARS = 4096;
/** The first set counts as opened at least this many times, and keeps its slot until other sets need the slot more. */
const OPENS_OF_FIRST = 2;

type WarmSlot = { readonly key: string; readonly options: LaunchOptions };

/** A set of options from Open requests. `opens` is its weight at `at`, a time in ms since the epoch. */
type OpenedSet = { readonly options: LaunchOptions; readonly opens: number; readonly at: number };

/** Decides which sets have slots: the operator's sets and, with `auto`, recently opened sets. */
export class WarmDemand {
  readonly #auto: WarmPlan["auto"];
  readonly #fixed: readonly WarmSlot[];
  readonly #opened = new Map<string, OpenedSet>();
  #added: readonly WarmSlot[] = [];

  constructor({ sets, auto }: WarmPlan) {
    this.#auto = auto;
    this.#fixed = sets.flatMap(({ options, count }) =>
      Array.from({ length: count }, () => ({ key: toWarmKey(options), options })),
    );
  }

  /** Counts an Open request for a browser kind that is installed. */
  count(options: LaunchOptions, now: number): void {
    const key = toWarmKey(options);
    if (this.#auto === undefined || key.length > MAX_KEY_CHARS) return;
    const known = this.#opened.get(key);
    const opens = 1 + (known === undefined ? 0 : opensAt(known, now));
    this.#opened.set(key, { options: toLaunchOptions(options), opens, at: now });
    if (this.#opened.size > MAX_SETS) this.#forgetOne(now);
  }

  /**
   * Returns the operator's slots in the operator's order, then the additional slots, beginning with the most useful.
   */
  slotsAt(now: number): readonly WarmSlot[] {
    if (this.#auto === undefined) return this.#fixed;
    const { limit, first } = this.#auto;
    const opened = new Map(this.#opened);
    if (first !== undefined) {
      const key = toWarmKey(first);
      const known = opened.get(key);
      const opens = Math.max(OPENS_OF_FIRST, known === undefined ? 0 : opensAt(known, now));
      opened.set(key, { options: first, opens, at: now });
    }
    const fixed = Map.groupBy(this.#fixed, ({ key }) => key);
    const added = Map.groupBy(this.#added, ({ key }) => key);
    const demands = Array.from(opened, ([key, set]) => ({
      key,
      options: set.options,
      opens: opensAt(set, now),
      fixed: fixed.get(key)?.length ?? 0,
      added: added.get(key)?.length ?? 0,
    }));
    this.#added = addSlots(demands, limit);
    return [...this.#fixed, ...this.#added];
  }

  #forgetOne(now: number): void {
    const opens = Array.from(this.#opened.values(), (set) => opensAt(set, now));
    const weakest = [...this.#opened.keys()][opens.indexOf(Math.min(...opens))];
    if (weakest !== undefined) this.#opened.delete(weakest);
  }
}

function opensAt({ opens, at }: OpenedSet, now: number): number {
  return fade(opens, now - at);
}
