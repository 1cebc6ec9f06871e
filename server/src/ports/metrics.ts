import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import type { EndReason } from "../domain/browser/end.ts";
import type { Failure } from "../domain/failure.ts";
import type { Traffic } from "./egress.ts";

/** How a call ended: well, with a failure, or with its caller gone before it did. */
export type Outcome = "ok" | "abandoned" | Failure["failure"];

/** Takes down what happens, as it happens; what is so at a moment is asked for when somebody looks. */
export interface Metrics {
  /** An Open was answered. */
  openAnswered(outcome: Outcome): void;
  /** @param openMs From the request until the browser was open. */
  browserOpened(kind: BrowserKind, isWarm: boolean, openMs: number): void;
  /** Nothing of a browser is left. @param traffic All it had. */
  browserEnded(kind: BrowserKind, reason: EndReason, traffic: Traffic): void;
  /** Units have come into the books. */
  unitsCharged(units: number): void;
  /** A Query was answered, or refused for want of a place. @param answerMs For which it was worked on, or waited. */
  queryAnswered(outcome: Outcome, answerMs: number): void;
}

/** What is so at a moment. */
export type GaugeReadings = {
  /** Browsers that may be open at once, and places that are taken: by open browsers and those being opened. */
  readonly capacity: { readonly limit: number; readonly taken: number };
  readonly open: readonly OpenReading[];
  /** Browsers that stand ready for an Open. */
  readonly warm: number;
  /** The deployment's proxies, and those of them that answer. */
  readonly proxies: { readonly all: number; readonly serving: number };
  readonly launches: { readonly running: number; readonly waiting: number };
  /** Queries that have a place, and those that wait for one. */
  readonly queries: { readonly running: number; readonly waiting: number };
  readonly desktops: { readonly started: number; readonly viewers: number };
  /** DevTools clients and viewers, connected or connecting. */
  readonly connections: number;
};

export type OpenReading = {
  /** As it stands in the log. */
  readonly id: string;
  readonly kind: BrowserKind;
  readonly traffic: Traffic;
};
