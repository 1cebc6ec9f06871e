import { wordsOf } from "./fetch-failure.ts";
import { withoutIds } from "./secrets.ts";

// Terminal colour codes.
const COLOURS = new RegExp(String.raw`\u001B\[[\d;]*m`, "g");

/** Says why a library could not connect to a browser, in one line and without the browser's address. */
export function whyNotConnected(thrown: unknown, address: string): string {
  // Libraries may spell the address differently, so remove ids too.
  const words = withoutIds(firstLine(thrown).replaceAll(address, "the browser's address"));
  if (/ 404\b/.test(words)) return "the browser has closed or never existed (404).";
  if (words.includes("ECONNREFUSED")) return `${hostOf(address)} refused the connection (ECONNREFUSED).`;
  if (words.includes("ENOTFOUND")) return `the host ${hostOf(address)} was not found (ENOTFOUND).`;
  return words === "" ? "the library gives no reason." : words;
}

/** Puppeteer's WebSocket throws an event, which may hold an error. */
export function errorInEvent(thrown: unknown): unknown {
  return thrown instanceof Error ? undefined : toParts(thrown).error;
}

/** In Playwright's messages, the lines after the first are its log. */
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
