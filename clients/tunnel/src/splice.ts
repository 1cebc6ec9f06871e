import type { Duplex } from "node:stream";

/** How long a stream may take to finish its pending writes and close. */
const GRACE_MS = 2_000;

/** Copies bytes between two streams. Reads from one only as fast as the other writes. Closes both together. */
export function splice(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    // A close event follows each error. Without a listener, an error ends the process.
    from.on("error", () => {});
    from.once("close", () => letGo(to));
  }
}

/** Closes a stream after its pending writes. */
export function letGo(stream: Duplex): void {
  if (stream.destroyed) return;
  stream.end();
  // Discard further input. A stream with unread input does not close.
  stream.resume();
  const timer = setTimeout(() => stream.destroy(), GRACE_MS);
  stream.once("finish", () => stream.destroy());
  stream.once("close", () => clearTimeout(timer));
  if (stream.writableFinished) stream.destroy();
}
