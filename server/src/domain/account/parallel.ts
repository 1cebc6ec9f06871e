/** When a browser was open; without an end it still is. */
export type Life = { readonly from: Date; readonly to: Date | undefined };

/**
 * The most browsers that were open at one moment, in each step of a stretch of time. A browser is open from its first
 * moment on until before its last one, so that one which takes another's place does not stand beside it; one that ended as
 * it began was there for a millisecond.
 * @param past End of the stretch, not in it; the last step may be shorter for it.
 */
export function peaksOf(lives: readonly Life[], from: Date, past: Date, stepMs: number): number[] {
  const [start, end] = [from.getTime(), past.getTime()];
  // Typed arrays sort numbers as numbers, and fast: there are as many as a busy account has in a month.
  const opened = Float64Array.from(lives, (life) => life.from.getTime()).toSorted();
  const closed = Float64Array.from(lives, (life) => toEnd(life)).toSorted();
  const peaks: number[] = [];
  let [open, nextOpened, nextClosed] = [0, 0, 0];
  for (let step = start; step < end; step += stepMs) {
    const stepEnd = Math.min(step + stepMs, end);
    let peak = 0;
    // What is open as the step begins counts for it, once those that ended by then are gone.
    for (let at = step; at < stepEnd; at = Math.min(opened[nextOpened] ?? Infinity, stepEnd)) {
      while ((opened[nextOpened] ?? Infinity) <= at) {
        nextOpened += 1;
        open += 1;
      }
      while ((closed[nextClosed] ?? Infinity) <= at) {
        nextClosed += 1;
        open -= 1;
      }
      peak = Math.max(peak, open);
    }
    peaks.push(peak);
  }
  return peaks;
}

function toEnd({ from, to }: Life): number {
  return to === undefined ? Infinity : Math.max(to.getTime(), from.getTime() + 1);
}
