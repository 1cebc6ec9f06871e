import type { components } from "@remote-browser/contract/types";
import { Failure } from "../failure.ts";

/** The wire's number for a browser: 0 Chrome, 2 Chromium, 3 ChromeHeadlessShell. */
type WireKind = components["schemas"]["SupportedBrowser"];

export type BrowserKind = "chrome" | "chromium" | "chrome-headless-shell";

const KINDS: Record<WireKind, BrowserKind> = {
  0: "chrome",
  2: "chromium",
  3: "chrome-headless-shell",
};

/** Names for people. */
export const KIND_WORDS: Readonly<Record<BrowserKind, string>> = {
  chrome: "Chrome",
  chromium: "Chromium",
  "chrome-headless-shell": "ChromeHeadlessShell",
};

/** Names for people who write the number in their program. */
export const KIND_NAMES: Readonly<Record<BrowserKind, string>> = {
  chrome: `${KIND_WORDS.chrome} (0)`,
  chromium: `${KIND_WORDS.chromium} (2)`,
  "chrome-headless-shell": `${KIND_WORDS["chrome-headless-shell"]} (3)`,
};

/** What Open means when it names no browser. */
const DEFAULT: BrowserKind = "chromium";

export function readKind(wire: WireKind | undefined): BrowserKind {
  return wire === undefined ? DEFAULT : KINDS[wire];
}

/**
 * What an Open is told that wants a kind which is not there.
 * @param kinds Those that are.
 */
export function notInstalled(kind: BrowserKind, kinds: ReadonlySet<BrowserKind>): Failure {
  const others = [...kinds].map((other) => KIND_NAMES[other]).join(" or ");
  const choice = kinds.has(DEFAULT) ? `leave Browser out or choose ${others}` : `choose ${others}`;
  const advice = others === "" ? "no other kind is either" : choice;
  return new Failure("BrowserUnavailable", `${KIND_NAMES[kind]} is not installed here: ${advice}.`);
}
