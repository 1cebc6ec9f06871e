import type { Duplex } from "node:stream";

/** Maximum time for a stream to finish its pending writes and close, in ms. */
const GRACE_MS = 2_000;

/** Copies bytes between two streams in both directions, with backpressure. When one closes, the other is closed. */
export function splice(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    // A close event follows each error. Without an error listener, an error would crash the process.
    from.on("error", () => {});
    from.once("close", () => letGo(to));
  }
}

/** Closes a stream after its pending writes finish. */
export function letGo(stream: Duplex): void {
  if (stream.destroyed) return;
  stream.end();
  // Discards further input, because a stream with unread input doesn't close.
  stream.resume();
  const timer = setTimeout(() => stream.destroy(), GRACE_MS);
  stream.once("finish", () => stream.destroy());
  stream.once("close", () => clearTimeout(timer));
  if (stream.writableFinished) stream.destroy();
}
