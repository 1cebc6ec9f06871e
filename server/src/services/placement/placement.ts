import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import { type Failure, unavailable } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { FleetGauges, PlacementOutcome } from "../../ports/metrics.ts";
import { isCallable } from "../../ports/cluster/worker-call-rules.ts";
import { WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import { toServerState, type Server, SERVER_STATES } from "../../ports/cluster/server-registry.ts";

export type ReachableWorker = Server & { readonly url: string };

/** How long a worker that didn't respond is skipped, in ms. */
const AVOIDED_MS = 5000;
/**
 * How long to assign no browsers to a worker whose URL led to another worker gets no browsers, in ms. Its URL is
 * rechecked before then.
 */
const MISDIRECTED_MS = 15_000;

type Known = {
  worker: ReachableWorker;
  /** Aborted with `WorkerUnreachable` when the worker stops reporting. */
  silence: AbortController;
  /** Digests of the options of the browsers that this process has assigned since the worker's last report. */
  given: string[];
  /** Whether the worker has refused a browser since its last report. */
  isFull: boolean;
  avoidedUntilMs: number;
  /** Whether the worker failed to respond to the last request to open a browser. */
  isUnreachable: boolean;
};

type PlacementNeeds = {
  readonly clock: Pick<Clock, "elapsedMs">;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
};

/** A browser assigned to a worker. */
export interface Placed {
  readonly worker: ReachableWorker;
  /** Reports the outcome. `unreachable`: the worker didn't respond. Only the first call has an effect. */
  settle(how: PlacementOutcome): void;
}

/**
 * Chooses a worker for each browser, based on the workers' last reports. Reports are slightly outdated, so the worker
 * itself decides whether it has a free slot. Prefers workers with a warm browser that has the same options. Draws two
 * workers at random and chooses the one with the larger share of free slots. Otherwise, the least busy worker would
 * receive every front-end's browsers until its next report.
 */
export class Placement {
  readonly #needs: PlacementNeeds;
  #known = new Map<string, Known>();
  #plans = 0;
  readonly #listeners = new Set<() => void>();

  constructor(needs: PlacementNeeds) {
    this.#needs = needs;
  }

  update(servers: readonly Server[]): void {
    const before = this.#known;
    this.#plans = new Set(servers.filter(({ isAlive }) => isAlive).map(({ plans }) => plans)).size;
    const workers = servers.flatMap((server) => (isReachable(server) ? [server] : []));
    this.#known = new Map(workers.map((worker) => [worker.id, toKnown(worker, before.get(worker.id))]));
    for (const [id, known] of before) if (this.#known.get(id) !== known) known.silence.abort(toSilent(id));
    for (const known of this.#known.values()) noteSilence(known);
    this.#notify();
  }

  /** Calls `callback` whenever a worker may have a free slot. @returns A function that cancels the calls. */
  onFree(callback: () => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** The capacity of all live workers. */
  get limit(): number {
    return sumOf(this.#alive(), ({ worker }) => worker.capacity);
  }

  /** The number of browsers that are open or being opened on live workers. */
  get taken(): number {
    return sumOf(this.#alive(), ({ worker }) => worker.taken);
  }

  get warm(): number {
    return sumOf(this.#alive(), ({ worker }) => worker.warm);
  }

  /** Whether all workers that open browsers are full. */
  get isFull(): boolean {
    return this.#opening().every((known) => countTaken(known) >= known.worker.capacity);
  }

  get gauges(): Omit<FleetGauges, "waiting"> {
    const workers = [...this.#known.values()].map(({ worker }) => worker);
    const opening = workers.filter(isOpening);
    return {
      workers: new Map(
        SERVER_STATES.map((state) => [state, workers.filter((one) => toServerState(one) === state).length]),
      ),
      capacity: sumOf(opening, ({ capacity }) => capacity),
      taken: sumOf(opening, ({ taken }) => taken),
      warm: sumOf(opening, ({ warm }) => warm),
      plans: this.#plans,
    };
  }

  get kinds(): ReadonlySet<BrowserKind> {
    return new Set(this.#alive().flatMap(({ worker }) => worker.kinds));
  }

  /** The workers that open browsers for this front-end. */
  get opening(): readonly ReachableWorker[] {
    return this.#opening().map(({ worker }) => worker);
  }

  /** Why no browsers can be opened now; undefined if they can. */
  get refusal(): Failure | undefined {
    if (this.opening.length > 0) return undefined;
    // A separate message keeps operators from looking for missing workers.
    const isOther = this.#alive().some(({ worker }) => toServerState(worker) === "active");
    const reason = isOther
      ? "The servers that run browsers in this deployment are on a release that is too old or too new. The operator has to update them before the other servers, one release at a time."
      : "No server in this deployment opens browsers now: all servers are cordoned, draining, stopping or silent, or there are none.";
    return unavailable(reason);
  }

  /**
   * Returns a signal that is aborted with `WorkerUnreachable` when a worker stops reporting or restarts. In both cases,
   * the worker won't respond to calls in progress.
   */
  silenceOf(workerId: string): AbortSignal {
    return this.#known.get(workerId)?.silence.signal ?? AbortSignal.abort(toSilent(workerId));
  }

  /** Finds a worker by its id, even if it has stopped reporting. */
  find(workerId: string): ReachableWorker | undefined {
    return this.#known.get(workerId)?.worker;
  }

  /**
   * Assigns a browser to a worker that seems to have a free slot.
   * @param tried Ids of workers that have refused the browser.
   * @param digest The digest of the browser's options. Workers that have a warm browser with this digest are preferred.
   */
  place(kind: BrowserKind, tried?: ReadonlySet<string>, digest = ""): Placed | undefined {
    const free = this.#candidates(kind, tried).filter((known) => freeShare(known) > 0);
    const warm = free.filter((known) => countWarm(known, digest) > 0);
    return this.#give(warm.length > 0 ? warm : free, digest);
  }

  /**
   * Like `place`. If all workers seem to be full, chooses a worker that hasn't refused a browser since its last report,
   * because one of its browsers may have ended.
   */
  placeAnyway(kind: BrowserKind, tried?: ReadonlySet<string>, digest = ""): Placed | undefined {
    const unsure = (): Known[] => this.#candidates(kind, tried).filter(({ isFull }) => !isFull);
    return this.place(kind, tried, digest) ?? this.#give(unsure(), digest);
  }

  #candidates(kind: BrowserKind, tried: ReadonlySet<string> = new Set()): Known[] {
    return this.#usable().filter(({ worker }) => worker.kinds.includes(kind) && !tried.has(worker.id));
  }

  #give(from: readonly Known[], digest: string): Placed | undefined {
    const [one, other] = [this.#draw(from), this.#draw(from)];
    if (one === undefined || other === undefined) return undefined;
    const chosen = freeShare(other) > freeShare(one) ? other : one;
    const { given } = chosen;
    given.push(digest);
    let isSettled = false;
    const settle: Placed["settle"] = (how) => {
      if (isSettled) return;
      isSettled = true;
      // The worker's next report or restart replaces this list.
      if (how !== "opened") given.splice(given.indexOf(digest), 1);
      if (how === "full") chosen.isFull = true;
      if (how === "unreachable") chosen.avoidedUntilMs = this.#needs.clock.elapsedMs() + AVOIDED_MS;
      if (how !== "failed") chosen.isUnreachable = how === "unreachable";
      if (how === "failed") this.#notify();
    };
    return { worker: chosen.worker, settle };
  }

  /** Returns the reason why no worker has a free slot. */
  toUnplaced(): Failure {
    const opening = this.#opening();
    const silent = opening.filter(({ isUnreachable }) => isUnreachable).length;
    if (silent > 0 && silent === opening.length) return unavailable("No server that runs browsers responds.");
    const doNot = silent === 1 ? "doesn't" : "don't";
    return unavailable(
      silent > 0
        ? `${silent} of ${opening.length} servers ${doNot} respond, and the other servers have no place for the browser.`
        : `This deployment has no place for this browser: ${sumOf(opening, countTaken)} of ${sumOf(opening, ({ worker }) => worker.capacity)} places are taken.`,
    );
  }

  /** Stops assigning browsers to a worker for a while, because its URL points to another worker. */
  avoid(workerId: string): void {
    const known = this.#known.get(workerId);
    if (known === undefined) return;
    known.avoidedUntilMs = this.#needs.clock.elapsedMs() + MISDIRECTED_MS;
    known.isUnreachable = true;
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #draw(from: readonly Known[]): Known | undefined {
    return from[Math.floor(this.#needs.random() * from.length)];
  }

  #alive(): Known[] {
    return [...this.#known.values()].filter(({ worker }) => worker.isAlive);
  }

  #opening(): Known[] {
    return this.#alive().filter(({ worker }) => isOpening(worker));
  }

  #usable(): Known[] {
    const now = this.#needs.clock.elapsedMs();
    return this.#opening().filter(({ avoidedUntilMs }) => avoidedUntilMs <= now);
  }
}

function isReachable(server: Server): server is ReachableWorker {
  return server.role === "worker" && server.url !== undefined;
}

/** Whether the worker opens browsers for this front-end. */
function isOpening(worker: Server): boolean {
  return toServerState(worker) === "active" && isCallable(worker.calls);
}

function toKnown(worker: ReachableWorker, before: Known | undefined): Known {
  if (before === undefined || before.worker.instance !== worker.instance) {
    const silence = new AbortController();
    return { worker, silence, given: [], isFull: false, avoidedUntilMs: 0, isUnreachable: false };
  }
  // A new report already includes the browsers that were assigned earlier.
  const isNew = before.worker.seenAt.getTime() !== worker.seenAt.getTime();
  before.worker = worker;
  if (isNew) Object.assign(before, { given: [], isFull: false });
  return before;
}

function noteSilence(known: Known): void {
  if (!known.worker.isAlive) known.silence.abort(toSilent(known.worker.id));
  else if (known.silence.signal.aborted) known.silence = new AbortController();
}

function toSilent(workerId: string): WorkerUnreachable {
  return new WorkerUnreachable(`The worker ${workerId} has stopped reporting.`, { isOutcomeUnknown: true });
}

/** Counts the reported browsers, and the browsers assigned since the report. */
function countTaken({ worker, given, isFull }: Known): number {
  return isFull ? worker.capacity : Math.min(worker.capacity, worker.taken + given.length);
}

function sumOf<T>(all: readonly T[], count: (one: T) => number): number {
  return all.reduce((total, known) => total + count(known), 0);
}

/** Returns the share of free slots, from 0 to 1. */
function freeShare({ worker, given, isFull }: Known): number {
  return isFull ? 0 : (worker.capacity - worker.taken - given.length) / worker.capacity;
}

/** Counts the remaining warm browsers with these options. */
function countWarm({ worker, given }: Known, digest: string): number {
  return (worker.warmSets?.[digest] ?? 0) - given.filter((one) => one === digest).length;
}
