import { type OpenSpans, toEnd } from "../../../domain/plan/parallel.ts";

/** `2026-11-21T10:00:00.000Z`. */
const MOMENT_LENGTH = 24;
const DAY_LENGTH = 10;
const ZERO = "0".charCodeAt(0);
/** Offsets in a timestamp. */
const [HOURS, MINUTES, SECONDS, MILLISECONDS] = [11, 14, 17, 20];

/**
 * Parses the opening and end times of browsers. A busy account has 100,000 browsers per month.
 * @param text Pairs of timestamps without separators.
 */
export function readSpanText(text: string): OpenSpans {
  const days = new Map<string, number>();
  const readMoment = (at: number): number => {
    const day = text.slice(at, at + DAY_LENGTH);
    let startMs = days.get(day);
    if (startMs === undefined) {
      startMs = Date.parse(day);
      days.set(day, startMs);
    }
    const two = (offset: number): number => digit(text, at + offset) * 10 + digit(text, at + offset + 1);
    const seconds = (two(HOURS) * 60 + two(MINUTES)) * 60 + two(SECONDS);
    return startMs + seconds * 1000 + two(MILLISECONDS) * 10 + digit(text, at + MILLISECONDS + 2);
  };
  const count = text.length / (2 * MOMENT_LENGTH);
  const [opened, ended] = [new Float64Array(count), new Float64Array(count)];
  for (let index = 0, at = 0; index < count; index += 1, at += 2 * MOMENT_LENGTH) {
    const from = readMoment(at);
    opened[index] = from;
    ended[index] = toEnd(from, readMoment(at + MOMENT_LENGTH));
  }
  return { opened, ended };
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - ZERO;
}
