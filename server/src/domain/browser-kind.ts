import type { components } from "@remote-browser/contract/types";

/** The wire's number for a browser: 0 Chrome, 2 Chromium, 3 ChromeHeadlessShell. */
type WireKind = components["schemas"]["SupportedBrowser"];

export type BrowserKind = "chrome" | "chromium" | "chrome-headless-shell";

const KINDS: Record<WireKind, BrowserKind> = {
  0: "chrome",
  2: "chromium",
  3: "chrome-headless-shell",
};

/** Chromium is what Open means when it names no browser. */
export function readKind(wire: WireKind | undefined): BrowserKind {
  return KINDS[wire ?? 2];
}
