import { performance } from "node:perf_hooks";
import { memoryUsage } from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Clock } from "../../ports/clock.ts";

const PERIOD_MS = 10_000;
/** Maximum share of a period that an idle server spends working. */
const MAX_UTILIZATION = 0.05;
/** Minimum growth of resident memory that triggers a collection. */
const MIN_GROWTH_BYTES = 32 * 1024 * 1024;

/** The JavaScript engine. Tests replace it. */
export type Engine = {
  /** Returns the event loop's utilization since the last call, from 0 to 1. */
  readonly readUtilization: () => number;
  /** Returns the resident memory; undefined if it can't be read because no descriptor is free. */
  readonly memoryBytes: () => number | undefined;
  /** Collects all garbage and returns memory to the system. Blocks for tens of milliseconds. */
  readonly collect: () => void;
};

/**
 * Collects garbage while the server is idle, until disposed. Node only collects while allocating memory, so a server
 * would keep about 100 MB of garbage after a busy minute. Limiting the heap would cost a fifth of throughput.
 */
export function startIdleCollector(clock: Pick<Clock, "after">, engine: Engine = newEngine()): Disposable {
  let collectedBytes = engine.memoryBytes() ?? 0;
  let cancel: () => void;
  const check = (): void => {
    cancel = clock.after(PERIOD_MS, check);
    const isIdle = engine.readUtilization() < MAX_UTILIZATION;
    const bytes = engine.memoryBytes();
    if (!isIdle || bytes === undefined || bytes - collectedBytes < MIN_GROWTH_BYTES) return;
    engine.collect();
    collectedBytes = engine.memoryBytes() ?? bytes;
  };
  cancel = clock.after(PERIOD_MS, check);
  return { [Symbol.dispose]: () => cancel() };
}

function newEngine(): Engine {
  let last = performance.eventLoopUtilization();
  return {
    readUtilization() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    memoryBytes() {
      try {
        return memoryUsage.rss();
      } catch {
        return undefined;
      }
    },
    collect() {
      setFlagsFromString("--expose-gc");
      const collect = runInNewContext("gc") as (options: object) => void;
      // Other flavors don't return freed pages to the system.
      collect({ type: "major", execution: "sync", flavor: "last-resort" });
    },
  };
}
