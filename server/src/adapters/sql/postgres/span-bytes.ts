import { type OpenSpans, toEnd } from "../../../domain/plan/parallel.ts";

/** The year 2000, from which PostgreSQL counts microseconds. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const MOMENT_BYTES = 8;
const HIGH = 2 ** 32;

/** @param bytes Pairs of timestamps from `timestamptz_send`. */
export function readSpanBytes(bytes: Buffer): OpenSpans {
  // Twice as fast as `readBigInt64BE`. The number of microseconds since 2000 is below 2^53 until the year 2285.
  const readMoment = (at: number): number =>
    (bytes.readInt32BE(at) * HIGH + bytes.readUInt32BE(at + MOMENT_BYTES / 2)) / 1000 + EPOCH_MS;
  const count = bytes.length / (2 * MOMENT_BYTES);
  const [opened, ended] = [new Float64Array(count), new Float64Array(count)];
  for (let index = 0, at = 0; index < count; index += 1, at += 2 * MOMENT_BYTES) {
    const from = readMoment(at);
    opened[index] = from;
    ended[index] = toEnd(from, readMoment(at + MOMENT_BYTES));
  }
  return { opened, ended };
}
