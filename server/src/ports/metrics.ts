import type { BrowserBounds } from "../domain/machine/bounds.ts";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import { Failure } from "../domain/failure.ts";
import type { Traffic } from "./egress.ts";
import type { ServerState } from "./cluster/server-registry.ts";

/** How a call ended. `abandoned`: its caller left first. */
export type Outcome = "ok" | "abandoned" | Failure["failure"];

/** The outcome of a call that failed. @param disconnected Aborted when the caller has left. */
export function outcomeOf(error: unknown, disconnected: AbortSignal): Outcome {
  if (disconnected.aborted) return "abandoned";
  return error instanceof Failure ? error.failure : "Unknown";
}

/** How a worker answered that was to open a browser. `failed`: the browser or its request failed. */
export type PlacementOutcome = "opened" | "full" | "unreachable" | "failed";

/** Counts events as they happen. */
export interface Metrics {
  /** An Open request was answered, by the server that its caller has sent it to. */
  openAnswered(outcome: Outcome): void;
  /** @param openMs From the request until the browser was open. */
  browserOpened(kind: BrowserKind, isWarm: boolean, openMs: number): void;
  /** A browser has ended and everything it held is released. @param traffic Its total. */
  browserEnded(kind: BrowserKind, reason: EndReason, traffic: Traffic): void;
  /** A front-end asked a worker to open a browser. */
  browserPlaced(outcome: PlacementOutcome): void;
  /** A worker didn't answer a call of this front-end. */
  workerCallFailed(): void;
  /** Units were written to the ledger. */
  unitsCharged(units: number): void;
  /** A Query was answered, or left the queue without an answer. @param answerMs Time it was worked on, or waited. */
  queryAnswered(outcome: Outcome, answerMs: number): void;
}

/** Values that are read at each scrape. */
export type Gauges = {
  /** Browsers that may be open at the same time, and browsers that are open or being opened. */
  readonly capacity: { readonly limit: number; readonly taken: number };
  /** What each browser may use; undefined: as much as it wants. */
  readonly bounds: BrowserBounds | undefined;
  /** The installed kinds, and how long ago each was built. */
  readonly ages: Iterable<{ readonly kind: BrowserKind; readonly ageMs: number }>;
  /** Each open browser. */
  readonly open: Iterable<{ readonly kind: BrowserKind; readonly traffic: Traffic }>;
  /** Warm browsers that are ready for an Open request. */
  readonly warm: number;
  /** The deployment's proxies, and how many of them work. */
  readonly proxies: { readonly all: number; readonly serving: number };
  /** Open requests that wait for a place, of their account or of the machine. */
  readonly waitingForPlace: number;
  readonly launches: { readonly running: number; readonly waiting: number };
  /** Queries that are being answered, and queries that wait for a permit. */
  readonly queries: { readonly running: number; readonly waiting: number };
  readonly desktops: { readonly started: number; readonly viewers: number };
  /** DevTools clients and desktop viewers, connected or connecting. */
  readonly connections: number;
  /** Log lines that were dropped since the start because their reader was too slow. */
  readonly droppedLogLines: number;
  /** Whether it can serve calls, as far as is known without a probe; undefined: it isn't known yet. */
  readonly isReady: boolean | undefined;
  /** How long ago it last reported to the other servers of its database; undefined: it has no others. */
  readonly reportAgeMs: number | undefined;
  /** What a front-end knows of the workers; undefined on servers with browsers. */
  readonly fleet: FleetGauges | undefined;
};

/** The workers, as they last reported. */
export type FleetGauges = {
  readonly workers: ReadonlyMap<ServerState, number>;
  /** Of the workers that open browsers: how many may be open, how many are, and how many are warm. */
  readonly capacity: number;
  readonly taken: number;
  readonly warm: number;
  /** How many different plans the servers have. */
  readonly plans: number;
  /** Open requests of this front-end that wait until a worker has a place. */
  readonly waiting: number;
};
