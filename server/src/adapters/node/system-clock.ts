import { uptime } from "node:os";
import type { Clock } from "../../ports/clock.ts";

/** Maximum delay of a Node timer. A timer with a longer delay fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  elapsedMs: () => performance.now(),
  // Linux uses CLOCK_BOOTTIME: proc_uptime(5).
  uptimeMs: () => uptime() * 1000,
  after(delayMs, call) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      timer = leftMs > MAX_TIMER_MS ? setTimeout(wait, MAX_TIMER_MS, leftMs - MAX_TIMER_MS) : setTimeout(call, leftMs);
      timer.unref();
    };
    wait(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};
