import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readLedger } from "./ledger.ts";

/** For a file that the ledger doesn't have yet. */
const UNKNOWN_SECONDS = 60;

/** Makes all parts of `--shard i/n` take about the same time, by the ledger's times of the slow tests. */
export class ShardsByTime extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, shard } = this.ctx.config;
    if (shard === undefined) return files;
    const seconds = readLedger().slowSeconds;
    const toSeconds = ({ moduleId }: TestSpecification): number => seconds[relative(root, moduleId)] ?? UNKNOWN_SECONDS;
    return cut(files, toSeconds, shard.count)[shard.index - 1] ?? [];
  }
}

/** Distributes things, those that take longest first, each to the part that takes least so far. */
export function cut<T>(things: readonly T[], toSeconds: (thing: T) => number, count: number): T[][] {
  const parts = Array.from({ length: count }, () => ({ things: [] as T[], seconds: 0 }));
  for (const thing of things.toSorted((a, b) => toSeconds(b) - toSeconds(a))) {
    const part = parts.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    part.things.push(thing);
    part.seconds += toSeconds(thing);
  }
  return parts.map((part) => part.things);
}
