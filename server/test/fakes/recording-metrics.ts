import type { Metrics } from "../../src/ports/metrics.ts";

/** Records the name and the arguments of each call. */
export class RecordingMetrics implements Metrics {
  readonly calls: [string, ...unknown[]][] = [];

  openAnswered(...facts: Parameters<Metrics["openAnswered"]>): void {
    this.calls.push(["openAnswered", ...facts]);
  }
  browserOpened(...facts: Parameters<Metrics["browserOpened"]>): void {
    this.calls.push(["browserOpened", ...facts]);
  }
  browserEnded(...facts: Parameters<Metrics["browserEnded"]>): void {
    this.calls.push(["browserEnded", ...facts]);
  }
  browserPlaced(...facts: Parameters<Metrics["browserPlaced"]>): void {
    this.calls.push(["browserPlaced", ...facts]);
  }
  workerCallFailed(): void {
    this.calls.push(["workerCallFailed"]);
  }
  unitsCharged(...facts: Parameters<Metrics["unitsCharged"]>): void {
    this.calls.push(["unitsCharged", ...facts]);
  }
  queryAnswered(...facts: Parameters<Metrics["queryAnswered"]>): void {
    this.calls.push(["queryAnswered", ...facts]);
  }

  /** Returns the arguments of every call to a method. */
  of(name: keyof Metrics): unknown[][] {
    return this.calls.filter(([called]) => called === name).map(([, ...facts]) => facts);
  }
}
