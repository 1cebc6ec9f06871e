import { Failure } from "../../domain/failure.ts";
import type { Outcome } from "../../ports/metrics.ts";

/** How a call ended that failed. @param gone Aborted when its caller has left. */
export function toOutcome(error: unknown, gone: AbortSignal): Outcome {
  if (gone.aborted) return "abandoned";
  return error instanceof Failure ? error.failure : "Unknown";
}
