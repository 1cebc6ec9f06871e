import { existsSync, readFileSync } from "node:fs";

/** A library that changes the clock of a single program (package libfaketime). */
const LIBRARY = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketime.so.1`;

export const hasFakeTime = existsSync(LIBRARY);

/**
 * Returns the environment of a program whose clock differs from the machine's.
 * @param file Contains the signed offset in seconds, such as `+600`. The program reads the file every second.
 */
export function toFakeTime(file: string): Record<string, string> {
  return {
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
}

/** Formats an offset in seconds as the content of `FAKETIME_TIMESTAMP_FILE`. */
export function toOffset(seconds: number): string {
  return `${seconds < 0 ? "" : "+"}${seconds}`;
}

/**
 * The offset of this program's clock from the machine's, in seconds, and the environment that passes it to child
 * processes.
 */
export const OWN_TIME = readOwnTime(process.env["FAKETIME_TIMESTAMP_FILE"]);

function readOwnTime(file: string | undefined) {
  if (file === undefined) return { offsetS: 0, environment: {} };
  return { offsetS: Number(readFileSync(file, "latin1")), environment: toFakeTime(file) };
}
