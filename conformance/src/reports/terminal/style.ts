import { styleText } from "node:util";
import type { Ending } from "../conclusion.ts";
import type { Conclusion } from "../report.ts";

type Format = Parameters<typeof styleText>[0];

/** Puts a text in colours, or leaves it as it is. */
export type Paint = (format: Format, text: string) => string;

export function newPaint(isColoured: boolean): Paint {
  // Whether there are colours has been decided already, for the stream that the text ends up in.
  return isColoured ? (format, text) => styleText(format, text, { validateStream: false }) : (_, text) => text;
}

export const ENDING_FORMAT: Readonly<Record<Ending, Format>> = {
  pass: "green",
  skip: "dim",
  warn: "yellow",
  known: "yellow",
  fail: ["red", "bold"],
  inconclusive: "magenta",
};

export const CONCLUSION_FORMAT: Readonly<Record<Conclusion, Format>> = {
  conformant: ["green", "bold"],
  "not proven": ["yellow", "bold"],
  "known failures": ["yellow", "bold"],
  "not conformant": ["red", "bold"],
  inconclusive: ["magenta", "bold"],
};

/**
 * Whether a stream gets colours.
 * @param env Of the process: `NO_COLOR` and `FORCE_COLOR` decide, and a `TERM` of `dumb` takes them away.
 */
export function wantsColours(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("NO_COLOR")) return false;
  if (isSet("FORCE_COLOR")) return env["FORCE_COLOR"] !== "0";
  return isTerminal && env["TERM"] !== "dumb";
}
