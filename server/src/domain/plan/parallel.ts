/**
 * The times at which browsers opened and ended, in ms since 1970, in no particular order. Open browsers have no end
 * time. Typed arrays are fast to sort, and a busy account has many browsers per month.
 */
export type OpenSpans = { readonly opened: Float64Array; readonly ended: Float64Array };

/** Returns the end of a span. A browser that ended the moment it opened counts as open for one millisecond. */
export function toEnd(from: number, to: number): number {
  return Math.max(to, from + 1);
}

/**
 * Returns the maximum number of browsers open at the same time, in each step between `from` and `end`. Spans exclude
 * their end, so a browser that replaces another doesn't overlap it.
 * @param end Exclusive. The last step may be shorter.
 */
export function peaksOf(spans: OpenSpans, from: Date, end: Date, stepMs: number): number[] {
  const [start, past] = [from.getTime(), end.getTime()];
  const [opened, closed] = [spans.opened.toSorted(), spans.ended.toSorted()];
  const peaks: number[] = [];
  let [open, nextOpened, nextClosed] = [0, 0, 0];
  for (let step = start; step < past; step += stepMs) {
    const stepEnd = Math.min(step + stepMs, past);
    let peak = 0;
    // Count browsers that are open at the start of the step, unless they end exactly at that time.
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
