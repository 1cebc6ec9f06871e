import type { components } from "@remote-browser/contract/types";
import { Failure } from "../failure.ts";

/** The contract's number for a browser: 0 Chrome, 2 Chromium, 3 ChromeHeadlessShell. */
type WireKind = components["schemas"]["SupportedBrowser"];

export type BrowserKind = "chrome" | "chromium" | "chrome-headless-shell";

const KINDS: Record<WireKind, BrowserKind> = { 0: "chrome", 2: "chromium", 3: "chrome-headless-shell" };
const WIRE_KINDS: Record<BrowserKind, WireKind> = { chrome: 0, chromium: 2, "chrome-headless-shell": 3 };

/** The names shown to users. */
export const KIND_WORDS: Readonly<Record<BrowserKind, string>> = {
  chrome: "Chrome",
  chromium: "Chromium",
  "chrome-headless-shell": "ChromeHeadlessShell",
};

/** The names, each with the contract's number, which users write in their programs. */
export const KIND_NAMES: Readonly<Record<BrowserKind, string>> = {
  chrome: `${KIND_WORDS.chrome} (0)`,
  chromium: `${KIND_WORDS.chromium} (2)`,
  "chrome-headless-shell": `${KIND_WORDS["chrome-headless-shell"]} (3)`,
};

/** The kind that Open uses by default. */
const DEFAULT: BrowserKind = "chromium";

export function readKind(wire: WireKind | undefined): BrowserKind {
  return wire === undefined ? DEFAULT : KINDS[wire];
}

export function toWireKind(kind: BrowserKind): WireKind {
  return WIRE_KINDS[kind];
}

/** The browsers installed on a machine. */
export type Installed = {
  readonly kinds: ReadonlySet<BrowserKind>;
  /** Whether Xvnc, which graphical browsers need, is missing; false by default. */
  readonly isHeadlessOnly?: boolean | undefined;
};

/** @throws {Failure} `BrowserUnavailable`, which names the alternatives, if this machine can't open such a browser. */
export function checkInstalled(
  { kind, isHeadless }: { readonly kind: BrowserKind; readonly isHeadless: boolean },
  { kinds, isHeadlessOnly }: Installed,
): void {
  if (kinds.has(kind)) {
    if (isHeadless || isHeadlessOnly !== true) return;
    throw new Failure(
      "BrowserUnavailable",
      "Xvnc is not installed here, so browsers have no screens: set Headless to true.",
    );
  }
  const others = [...kinds].map((other) => KIND_NAMES[other]).join(" or ");
  const choice = kinds.has(DEFAULT) ? `leave out Browser, or choose ${others}` : `choose ${others}`;
  const advice = others === "" ? "no other browser is installed either" : choice;
  throw new Failure("BrowserUnavailable", `${KIND_NAMES[kind]} is not installed here: ${advice}.`);
}
