/** When a browser was open, in ms since 1970; `to` is undefined while it still is. */
export type OpenSpan = { readonly from: number; readonly to: number | undefined };

/**
 * The most browsers open at the same time, for each step between `from` and `end`. A span includes its start and excludes its
 * end, so a browser that replaces another doesn't overlap it. An empty span counts as one millisecond.
 * @param end Exclusive. The last step may be shorter.
 */
export function peaksOf(spans: readonly OpenSpan[], from: Date, end: Date, stepMs: number): number[] {
  const [start, past] = [from.getTime(), end.getTime()];
  // Typed arrays sort numbers fast, and a busy account has many spans in a month.
  const opened = Float64Array.from(spans, (span) => span.from).toSorted();
  const closed = Float64Array.from(spans, toEnd).toSorted();
  const peaks: number[] = [];
  let [open, nextOpened, nextClosed] = [0, 0, 0];
  for (let step = start; step < past; step += stepMs) {
    const stepEnd = Math.min(step + stepMs, past);
    let peak = 0;
    // Browsers that are open when the step starts count, but not those that end at that moment.
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

function toEnd({ from, to }: OpenSpan): number {
  return to === undefined ? Infinity : Math.max(to, from + 1);
}
