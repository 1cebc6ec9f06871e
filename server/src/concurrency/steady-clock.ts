import type { Clock } from "../ports/clock.ts";

/**
 * Returns a clock that starts at the given clock's current time, and ignores later adjustments of the machine's clock.
 */
export function newSteadyClock(clock: Clock): Clock {
  const offsetMs = clock.now().getTime() - clock.elapsedMs();
  return {
    now: () => new Date(offsetMs + clock.elapsedMs()),
    elapsedMs: () => clock.elapsedMs(),
    uptimeMs: () => clock.uptimeMs(),
    after: (delayMs, call) => clock.after(delayMs, call),
  };
}
