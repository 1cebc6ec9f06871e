import { createHash } from "node:crypto";
import type { Plans } from "../../domain/plan/plan.ts";
import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import { toWarmKey } from "../../domain/warm/warm-set.ts";

/** A short text that differs between different plans. */
export function toPlanDigest(plans: Plans): string {
  const sorted = [...plans.values()].map((plan) => JSON.stringify(plan, Object.keys(plan).toSorted())).toSorted();
  return toDigest(sorted.join("\n"));
}

/** A short text for options that start the same browser. It reveals nothing of what users wrote into them. */
export function toWarmDigest(options: LaunchOptions): string {
  return toDigest(toWarmKey(options));
}

function toDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
