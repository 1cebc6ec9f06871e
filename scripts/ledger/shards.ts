import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readLedger } from "./ledger.ts";

/** The assumed duration of a file without an entry in the ledger. */
const UNKNOWN_SECONDS = 60;

/** Divides test files for `--shard i/n` into parts of similar duration, based on the ledger. */
export class ShardsByTime extends BaseSequencer {
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, shard } = this.ctx.config;
    if (shard === undefined) return files;
    const seconds = readLedger().slowSeconds;
    const toSeconds = ({ moduleId }: TestSpecification): number => seconds[relative(root, moduleId)] ?? UNKNOWN_SECONDS;
    return cut(files, toSeconds, shard.count)[shard.index - 1] ?? [];
  }
}

/** Divides items into parts: adds each item, starting with the longest, to the part that is shortest so far. */
export function cut<T>(items: readonly T[], toSeconds: (item: T) => number, count: number): T[][] {
  const parts = Array.from({ length: count }, () => ({ items: [] as T[], seconds: 0 }));
  for (const item of items.toSorted((a, b) => toSeconds(b) - toSeconds(a))) {
    const part = parts.reduce((least, each) => (each.seconds < least.seconds ? each : least));
    part.items.push(item);
    part.seconds += toSeconds(item);
  }
  return parts.map((part) => part.items);
}
