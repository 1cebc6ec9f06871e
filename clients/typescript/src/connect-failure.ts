import { wordsOf } from "./fetch-failure.ts";
import { withoutIds } from "./secrets.ts";

// What colours a terminal.
const COLOURS = new RegExp(String.raw`\u001B\[[\d;]*m`, "g");

/** Why a library could not connect to a browser, in one line and without the browser's address. */
export function whyNotConnected(thrown: unknown, address: string): string {
  // Libraries may write the address in their own way.
  const words = withoutIds(firstLine(thrown).replaceAll(address, "the browser's address"));
  if (/ 404\b/.test(words)) return "it has closed, or was never there (404).";
  if (words.includes("ECONNREFUSED")) return `nothing listens at ${hostOf(address)} (ECONNREFUSED).`;
  if (words.includes("ENOTFOUND")) return `nobody knows the host ${hostOf(address)} (ENOTFOUND).`;
  return words === "" ? "the library does not say why." : words;
}

/** What Puppeteer's WebSocket throws is an event, which may hold an error. */
export function errorInEvent(thrown: unknown): unknown {
  return thrown instanceof Error ? undefined : toParts(thrown).error;
}

/** Playwright's lines after the first are its log. */
function firstLine(thrown: unknown): string {
  const { message } = toParts(thrown);
  const inner = errorInEvent(thrown);
  const own = typeof message === "string" ? message.trim() : "";
  const words = own === "" && inner !== undefined ? wordsOf(inner) : own;
  return words.replaceAll(COLOURS, "").split("\n", 1)[0]?.trim() ?? "";
}

function toParts(thrown: unknown): { readonly message?: unknown; readonly error?: unknown } {
  if (typeof thrown === "string") return { message: thrown };
  return typeof thrown === "object" && thrown !== null ? thrown : {};
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : "its address";
}
