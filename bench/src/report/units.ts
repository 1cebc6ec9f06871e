import type { Spread } from "../measure/statistics.ts";

/** In bytes. */
export const MB = 1e6;

export type Unit = (value: number) => string;

export const ms: Unit = (value) => `${value.toFixed(Math.abs(value) < 10 ? 1 : 0)} ms`;
export const seconds: Unit = (value) => `${(value / 1000).toFixed(1)} s`;
export const us: Unit = (value) => `${value.toFixed(0)} µs`;
export const mb: Unit = (bytes) => `${(bytes / MB).toFixed(Math.abs(bytes) < 10 * MB ? 1 : 0)} MB`;
export const perSecond: Unit = (value) =>
  `${value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en")}/s`;
export const percent: Unit = (share) => `${(share * 100).toFixed(1)} %`;
export const times: Unit = (value) => `× ${value.toFixed(2)}`;

/** `+28 ms`. */
export function signed(unit: Unit): Unit {
  return (value) => `${value < 0 ? "−" : "+"}${unit(Math.abs(value))}`;
}

/** Renders the median and the quartiles of the rounds, such as `+28 ms (+24 … +33)`. */
export function toText({ median, low, high }: Spread, unit: Unit): string {
  const bare = (value: number): string =>
    unit(value)
      .replace(/ (ms|µs|MB)$/, "")
      .replace(/^× /, "");
  return `${unit(median)} (${bare(low)} … ${bare(high)})`;
}
