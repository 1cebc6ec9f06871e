import type { Clock } from "../ports/clock.ts";

/**
 * A clock that shows the same time as the given one now, and from then on doesn't notice when the machine's clock is
 * set.
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
