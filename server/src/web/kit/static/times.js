// Formats times in words, for the server and for the scripts that keep them up to date.

const SPANS = /** @type {const} */ ([
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
]);
const AGES = /** @type {const} */ ([
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
]);
const RELATIVE = new Intl.RelativeTimeFormat("en");

/** Formats a duration in its two largest units: `9 min 58 s`. @param {number} ms */
export function toSpan(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  for (const [index, [unit, size]] of SPANS.entries()) {
    if (seconds < size) continue;
    const [nextUnit, nextSize] = SPANS[index + 1] ?? ["s", 1];
    const rest = Math.floor((seconds % size) / nextSize);
    return `${Math.floor(seconds / size)} ${unit}${rest === 0 ? "" : ` ${rest} ${nextUnit}`}`;
  }
  return `${seconds} s`;
}

/** Formats an age in its largest whole unit: `5 minutes ago`. @param {number} ms */
export function toAgo(ms) {
  const [unit, unitMs] = AGES.find(([, each]) => ms >= each) ?? [];
  return unit === undefined ? "just now" : RELATIVE.format(-Math.floor(ms / unitMs), unit);
}
