import type { BrowserBounds } from "../domain/machine/bounds.ts";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import { Failure } from "../domain/failure.ts";
import type { Traffic } from "./egress.ts";
import type { ServerState } from "./cluster/server-registry.ts";

/** How a call ended. `abandoned`: the caller disconnected first. */
export type Outcome = "ok" | "abandoned" | Failure["failure"];

/** Returns the outcome of a failed call. @param disconnected Aborted when the caller disconnects. */
export function outcomeOf(error: unknown, disconnected: AbortSignal): Outcome {
  if (disconnected.aborted) return "abandoned";
  return error instanceof Failure ? error.failure : "Unknown";
}

/** A worker's response to a request to open a browser. `failed`: the browser or its request failed. */
export type PlacementOutcome = "opened" | "full" | "unreachable" | "failed";

/** Counts events as they happen. */
export interface Metrics {
  /** This server answered a client's Open request. */
  openAnswered(outcome: Outcome): void;
  /** @param openMs From the request until the browser was open. */
  browserOpened(kind: BrowserKind, isWarm: boolean, openMs: number): void;
  /** A browser has ended and its resources are released. @param traffic Its total traffic. */
  browserEnded(kind: BrowserKind, reason: EndReason, traffic: Traffic): void;
  /** A front-end asked a worker to open a browser. */
  browserPlaced(outcome: PlacementOutcome): void;
  /** A worker didn't answer a call of this front-end. */
  workerCallFailed(): void;
  unitsCharged(units: number): void;
  /** A Query was answered, or left the queue unanswered. @param answerMs How long it was processed, or waited. */
  queryAnswered(outcome: Outcome, answerMs: number): void;
}

/** Values that are read at each scrape. */
export type Gauges = {
  /** The maximum number of open browsers, and browsers that are open or being opened. */
  readonly capacity: { readonly limit: number; readonly taken: number };
  /** The resource limits of each browser; undefined: no limits. */
  readonly bounds: BrowserBounds | undefined;
  readonly ages: Iterable<{ readonly kind: BrowserKind; readonly ageMs: number }>;
  readonly open: Iterable<{ readonly kind: BrowserKind; readonly traffic: Traffic }>;
  /** Warm browsers that are ready for an Open request. */
  readonly warm: number;
  /** The deployment's proxies, and how many of them work. */
  readonly proxies: { readonly all: number; readonly serving: number };
  /** Open requests that wait for their account's parallel limit or for a slot of the machine. */
  readonly waitingForPlace: number;
  readonly launches: { readonly running: number; readonly waiting: number };
  /** Queries that are being answered, and queries that wait for a permit. */
  readonly queries: { readonly running: number; readonly waiting: number };
  readonly desktops: { readonly started: number; readonly viewers: number };
  /** DevTools clients and desktop viewers, connected or connecting. */
  readonly connections: number;
  /** Log lines dropped since the start because their reader was too slow. */
  readonly droppedLogLines: number;
  /** Whether the server is ready, as far as is known without a probe; undefined if it isn't known yet. */
  readonly isReady: boolean | undefined;
  /** The age of the last report to the other servers; undefined if servers can't share the database. */
  readonly reportAgeMs: number | undefined;
  /** A front-end's view of the workers; undefined on servers with browsers. */
  readonly fleet: FleetGauges | undefined;
};

/** The workers, as they last reported. */
export type FleetGauges = {
  readonly workers: ReadonlyMap<ServerState, number>;
  /** Totals of the workers that open browsers: maximum open browsers, open browsers, and warm browsers. */
  readonly capacity: number;
  readonly taken: number;
  readonly warm: number;
  /** How many different sets of plans the servers have. */
  readonly plans: number;
  /** This front-end's Open requests that wait until a worker has a slot. */
  readonly waiting: number;
};
