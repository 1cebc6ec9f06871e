import { getuid } from "node:process";
import { linuxMachine } from "../adapters/linux/linux-machine.ts";
import { type Config, ConfigError } from "../config/config.ts";
import type { BrowserKind } from "../domain/browser/browser-kind.ts";
import {
  countBrowsers,
  describeShortage,
  findShortages,
  toAllowances,
  toDefaultCapacity,
} from "../domain/browser/machine.ts";
import { type WarmSet, findWarmMistakes, toDefaultWarmSets } from "../domain/browser/warm-set.ts";
import type { Log } from "../ports/log.ts";
import type { GateLimits } from "../services/browsers/launch-gate.ts";

/** So many Opens may wait for each launch that may run: about as many as it gets through in the time they may wait. */
const QUEUED_PER_LAUNCH = 16;
const MAX_WAIT_MS = 30_000;

/**
 * How many browsers may be open at once: what the operator has said, or what the machine carries.
 * @returns Warnings when the one is more than the other.
 */
export function planCapacity(
  config: Config,
  isFake: boolean,
  log: Log,
): { readonly limit: number; readonly warnings: readonly string[] } {
  const separation = { isJailed: config.isolation === "sandbox", hasOwners: getuid?.() === 0 };
  const allowances = toAllowances(linuxMachine().read(), separation);
  if (config.capacity === undefined) return { limit: toDefaultCapacity(allowances), warnings: [] };
  const limit = config.capacity;
  // Fake browsers need nothing of the machine.
  const shortages = isFake ? [] : findShortages(allowances, limit);
  for (const shortage of shortages) {
    const { resource, has, each } = shortage;
    log.warn("capacity.short", { capacity: limit, enoughFor: countBrowsers(shortage), resource, has, each });
  }
  return { limit, warnings: shortages.map((shortage) => describeShortage(shortage, limit)) };
}

/** @throws {ConfigError} When the operator wants more browsers ready, or others, than this machine can have. */
export function planWarmSets(
  config: Config,
  { capacity, kinds, isFake }: { capacity: number; kinds: ReadonlySet<BrowserKind>; isFake: boolean },
): readonly WarmSet[] {
  const isJailed = config.isolation === "sandbox";
  if (config.warm === undefined) return isFake ? [] : toDefaultWarmSets({ capacity, kinds, isJailed });
  const mistakes = findWarmMistakes(config.warm, capacity, kinds);
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  return config.warm;
}

export function toGateLimits({ launches }: Config): GateLimits {
  return { atOnce: launches, maxQueued: launches * QUEUED_PER_LAUNCH, maxWaitMs: MAX_WAIT_MS };
}
