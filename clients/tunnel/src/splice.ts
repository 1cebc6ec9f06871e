import type { Duplex } from "node:stream";

/** After one side has closed, how long the other may take to read the rest and close. */
const GRACE_MS = 2_000;

/**
 * Copies bytes between two sides until one closes. Then it closes the other. A side is not read faster than the other
 * side can write.
 */
export function splice(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    // Errors are followed by a close event. Without a listener, they would end the process.
    from.on("error", () => {});
    from.once("close", () => letGo(to));
  }
}

/** Closes a side after its pending writes. */
export function letGo(side: Duplex): void {
  if (side.destroyed) return;
  side.end();
  // Discard further input. Unread input would keep the side from closing.
  side.resume();
  const timer = setTimeout(() => side.destroy(), GRACE_MS);
  side.once("finish", () => side.destroy());
  side.once("close", () => clearTimeout(timer));
  if (side.writableFinished) side.destroy();
}
