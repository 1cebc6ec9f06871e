import type { BrowserBounds } from "../domain/browser/bounds.ts";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import { Failure } from "../domain/failure.ts";
import type { Traffic } from "./egress.ts";

/** How a call ended. `abandoned`: its caller left first. */
export type Outcome = "ok" | "abandoned" | Failure["failure"];

/** The outcome of a call that failed. @param gone Aborted when the caller has left. */
export function outcomeOf(error: unknown, gone: AbortSignal): Outcome {
  if (gone.aborted) return "abandoned";
  return error instanceof Failure ? error.failure : "Unknown";
}

/** Counts events as they happen. */
export interface Metrics {
  /** An Open request was answered. */
  openAnswered(outcome: Outcome): void;
  /** @param openMs From the request until the browser was open. */
  browserOpened(kind: BrowserKind, isWarm: boolean, openMs: number): void;
  /** A browser has ended and everything it held is released. @param traffic Its total. */
  browserEnded(kind: BrowserKind, reason: EndReason, traffic: Traffic): void;
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
};
