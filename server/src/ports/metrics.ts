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
  /** Called when this server has responded to a client's Open request. */
  openAnswered(outcome: Outcome): void;
  /** @param openMs Time from the request until the browser was open. */
  browserOpened(kind: BrowserKind, isWarm: boolean, openMs: number): void;
  /** Called when a browser has ended and its resources are released. @param traffic The browser's total traffic. */
  browserEnded(kind: BrowserKind, reason: EndReason, traffic: Traffic): void;
  /** Called when a front-end has asked a worker to open a browser. */
  browserPlaced(outcome: PlacementOutcome): void;
  /** Called when a worker hasn't responded to a call from this front-end. */
  workerCallFailed(): void;
  unitsCharged(units: number): void;
  /** Called when a Query is answered or leaves the queue. @param answerMs The Query's processing or queue time. */
  queryAnswered(outcome: Outcome, answerMs: number): void;
}

/** Values that are read at each scrape. */
export type Gauges = {
  /** The maximum number of open browsers, and the number that are open or being opened. */
  readonly capacity: { readonly limit: number; readonly taken: number };
  /** The resource limits of each browser; undefined: no limits. */
  readonly bounds: BrowserBounds | undefined;
  readonly ages: Iterable<{ readonly kind: BrowserKind; readonly ageMs: number }>;
  readonly open: Iterable<{ readonly kind: BrowserKind; readonly traffic: Traffic }>;
  /** Warm browsers that are ready for an Open request. */
  readonly warm: number;
  /** The number of proxies in the deployment, and how many of them work. */
  readonly proxies: { readonly all: number; readonly serving: number };
  /** Open requests that are waiting because of their account's limit or the machine's capacity. */
  readonly waitingForPlace: number;
  readonly launches: { readonly running: number; readonly waiting: number };
  /** Queries that are being answered, and queries that are waiting for a permit. */
  readonly queries: { readonly running: number; readonly waiting: number };
  readonly desktops: { readonly started: number; readonly viewers: number };
  /** DevTools clients and desktop viewers, connected or connecting. */
  readonly connections: number;
  /** Log lines dropped since the server started, because the log's reader was too slow. */
  readonly droppedLogLines: number;
  /** Whether the server is ready, as far as can be known without a probe; undefined if not known yet. */
  readonly isReady: boolean | undefined;
  /** The age of the last report to the other servers; undefined if servers can't share the database. */
  readonly reportAgeMs: number | undefined;
  /** A front-end's view of the workers; undefined on servers that run browsers. */
  readonly fleet: FleetGauges | undefined;
};

/** The workers, according to their latest reports. */
export type FleetGauges = {
  readonly workers: ReadonlyMap<ServerState, number>;
  /** Totals of the workers that open browsers: maximum open browsers, open browsers, and warm browsers. */
  readonly capacity: number;
  readonly taken: number;
  readonly warm: number;
  /** The number of different plan sets that servers use. */
  readonly plans: number;
  /** This front-end's Open requests that are waiting for a worker with a free slot. */
  readonly waiting: number;
};
