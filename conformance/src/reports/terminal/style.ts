import { styleText } from "node:util";
import type { Ending } from "../conclusion.ts";
import type { CapabilityConclusion } from "../report.ts";

type Format = Parameters<typeof styleText>[0];

/** Colours text, or returns it unchanged if colours are off. */
export type Paint = (format: Format, text: string) => string;

export function newPaint(isColoured: boolean): Paint {
  // The caller has already decided whether the stream supports colours.
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

export const CONCLUSION_FORMAT: Readonly<Record<CapabilityConclusion["verdict"], Format>> = {
  conformant: ["green", "bold"],
  passed: ["green", "bold"],
  incomplete: ["yellow", "bold"],
  "not tested": "dim",
  "not offered": "dim",
  "known failures": ["yellow", "bold"],
  "not conformant": ["red", "bold"],
  inconclusive: ["magenta", "bold"],
};

/** Whether to use colours on a stream. @param env `NO_COLOR`, `FORCE_COLOR` and `TERM` are respected. */
export function wantsColours(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("NO_COLOR")) return false;
  if (isSet("FORCE_COLOR")) return env["FORCE_COLOR"] !== "0";
  return isTerminal && env["TERM"] !== "dumb";
}
