import { existsSync } from "node:fs";

/** A library that changes the time of day for one program (package libfaketime). */
const LIBRARY = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;

export const hasFakeTime = existsSync(LIBRARY);

/**
 * The environment of a program whose time of day differs from the machine's.
 * @param file Has the difference in seconds, with its sign, such as `+600`. The program reads it each second.
 */
export function toFakeTime(file: string): Record<string, string> {
  return {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}
