import type { Duplex } from "node:stream";

/** How long a side has to take what is left for it, and to close, once the other is gone. */
const GRACE_MS = 2_000;

/**
 * Passes the bytes of two sides to each other until either is gone; the other is closed then. Neither is read faster than
 * the other takes it.
 */
export function splice(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    // Failures are seen as closing; without a listener they would end the process.
    from.on("error", () => {});
    from.once("close", () => letGo(to));
  }
}

/** Closes a side after what is written to it. */
export function letGo(side: Duplex): void {
  if (side.destroyed) return;
  side.end();
  // What it says now is for nobody; unread, it would keep the side from closing.
  side.resume();
  const timer = setTimeout(() => side.destroy(), GRACE_MS);
  side.once("finish", () => side.destroy());
  side.once("close", () => clearTimeout(timer));
  if (side.writableFinished) side.destroy();
}
