import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import type { Traffic } from "../../ports/egress.ts";
import type { Gauges, Metrics, Outcome, PlacementOutcome } from "../../ports/metrics.ts";
import { toGauges } from "./gauges.ts";

/** In seconds. A warm browser opens in milliseconds; a cold start on a busy machine takes many seconds. */
const OPEN_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const QUERY_BUCKETS = [0.5, 1, 2.5, 5, 10, 20, 30, 60, 120];

/** How often Node's event loop delay is sampled, in ms. prom-client's default of 10 ms wastes processor time. */
const LOOP_PRECISION_MS = 100;

/** Metrics of the process, which all services in it share. */
let processRegistry: Registry | undefined;

export class PrometheusMetrics implements Metrics {
  readonly #registry = new Registry();
  readonly #opens = this.#count("opens", "Open requests answered, by outcome: ok, abandoned, or the failure's name.", [
    "outcome",
  ]);
  readonly #ends = this.#count("browser_ends", "Browsers ended, by kind and reason.", ["kind", "reason"]);
  readonly #placements = this.#count("fleet_placements", "Browsers that workers were asked to open, by outcome.", [
    "outcome",
  ]);
  readonly #failedCalls = this.#count("worker_calls_failed", "Calls that a worker didn't respond to.", []);
  readonly #units = this.#count("units", "Units charged.", []);
  readonly #endedTraffic = { sent: 0, received: 0 };
  readonly #openSeconds = new Histogram({
    name: "rbs_open_seconds",
    help: "Seconds from an Open request until its browser was open, by kind and start: warm or cold.",
    labelNames: ["kind", "start"],
    buckets: OPEN_BUCKETS,
    registers: [this.#registry],
  });
  readonly #querySeconds = new Histogram({
    name: "rbs_query_seconds",
    help: "Seconds from a Query until it was answered or left the queue, by outcome: ok, abandoned, or the failure's name.",
    labelNames: ["outcome"],
    buckets: QUERY_BUCKETS,
    registers: [this.#registry],
  });

  openAnswered(outcome: Outcome): void {
    this.#opens.inc({ outcome });
  }

  browserOpened(kind: BrowserKind, isWarm: boolean, openMs: number): void {
    this.#openSeconds.observe({ kind, start: isWarm ? "warm" : "cold" }, openMs / 1000);
  }

  browserEnded(kind: BrowserKind, reason: EndReason, { sent, received }: Traffic): void {
    this.#ends.inc({ kind, reason });
    this.#endedTraffic.sent += sent;
    this.#endedTraffic.received += received;
  }

  browserPlaced(outcome: PlacementOutcome): void {
    this.#placements.inc({ outcome });
  }

  workerCallFailed(): void {
    this.#failedCalls.inc();
  }

  unitsCharged(units: number): void {
    this.#units.inc(units);
  }

  queryAnswered(outcome: Outcome, answerMs: number): void {
    this.#querySeconds.observe({ outcome }, answerMs / 1000);
  }

  /** Adds gauges. `read` is called for each `render`. */
  addGauges(read: () => Gauges): void {
    for (const gauge of toGauges(read, this.#endedTraffic)) this.#registry.registerMetric(gauge);
  }

  /** Renders the metrics of this service and of the process. */
  async render(): Promise<{ readonly contentType: string; readonly text: string }> {
    const text = await Promise.all([this.#registry, ofProcess()].map((registry) => registry.metrics()));
    return { contentType: this.#registry.contentType, text: text.join("\n") };
  }

  #count(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `rbs_${name}_total`, help, labelNames, registers: [this.#registry] });
  }
}

function ofProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  }
  return processRegistry;
}
