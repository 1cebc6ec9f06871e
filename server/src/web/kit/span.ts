const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** A stretch of time in its two largest units; the page's script counts on in the same words. */
export function toSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  for (const [index, [unit, size]] of UNITS.entries()) {
    if (seconds < size) continue;
    const [nextUnit, nextSize] = UNITS[index + 1] ?? ["s", 1];
    const rest = Math.floor((seconds % size) / nextSize);
    return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? "" : ` ${rest} ${nextUnit}`}`;
  }
  return `${seconds} s`;
}
