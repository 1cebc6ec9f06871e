import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";

const RETRY_MS = 5000;

/**
 * Writes to the store. A write that fails is logged, and retried in the background until it succeeds. Never rejects.
 * @param failed The event that is logged for each failure.
 */
export async function writeUntilDone(
  write: () => Promise<void>,
  failed: { readonly event: string; readonly id: string },
  needs: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  try {
    await write();
  } catch (error) {
    needs.log.error(failed.event, { id: failed.id, error });
    needs.clock.after(RETRY_MS, () => void writeUntilDone(write, failed, needs));
  }
}
