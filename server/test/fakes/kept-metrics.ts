import type { Metrics } from "../../src/ports/metrics.ts";

/** Keeps what was taken down: the name of each call and what came with it. */
export class KeptMetrics implements Metrics {
  readonly taken: [string, ...unknown[]][] = [];

  openAnswered(...facts: Parameters<Metrics["openAnswered"]>): void {
    this.taken.push(["openAnswered", ...facts]);
  }
  browserOpened(...facts: Parameters<Metrics["browserOpened"]>): void {
    this.taken.push(["browserOpened", ...facts]);
  }
  browserEnded(...facts: Parameters<Metrics["browserEnded"]>): void {
    this.taken.push(["browserEnded", ...facts]);
  }
  unitsCharged(...facts: Parameters<Metrics["unitsCharged"]>): void {
    this.taken.push(["unitsCharged", ...facts]);
  }
  queryAnswered(...facts: Parameters<Metrics["queryAnswered"]>): void {
    this.taken.push(["queryAnswered", ...facts]);
  }

  /** The facts of all calls of a name. */
  of(name: keyof Metrics): unknown[][] {
    return this.taken.filter(([taken]) => taken === name).map(([, ...facts]) => facts);
  }
}
