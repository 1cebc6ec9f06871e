import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";

/** How long after a failed entry into the books the next attempt is made. */
const RETRY_MS = 5000;

/**
 * Makes an entry into the books that nothing may keep out of them. If it can't be made now, it is tried again behind the
 * caller's back until it is. Never rejects.
 * @param failed What each failure is called in the log.
 */
export async function writeUntilDone(
  entry: () => Promise<void>,
  failed: { readonly event: string; readonly id: string },
  needs: { readonly clock: Clock; readonly log: Log },
): Promise<void> {
  try {
    await entry();
  } catch (error) {
    needs.log.error(failed.event, { id: failed.id, error });
    needs.clock.after(RETRY_MS, () => void writeUntilDone(entry, failed, needs));
  }
}
