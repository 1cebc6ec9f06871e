import { expect, test } from "vitest";
import { NotApplicable, Undecidable, Violation } from "../registry/violation.ts";
import type { Exchange } from "../target/exchange.ts";
import { expectOpened } from "./opening.ts";

function exchangeOf(options: object | undefined, status: number, json: object): Exchange {
  const body = options === undefined ? undefined : JSON.stringify(options);
  const sent = { method: "POST", url: "http://service.invalid/api/v1/Browser/Open", headers: {}, body };
  const received = { status, headers: {}, text: JSON.stringify(json), json };
  return { sent, received, operation: "openBrowser", startedAt: 0, endedAt: 0 };
}

const UNAVAILABLE = { status: 503, name: "BrowserUnavailable" };

test.each([
  ["no screen for a graphical browser makes a rule not applicable", { Headless: false }, NotApplicable],
  ["that goes for the default as well", {}, NotApplicable],
  ["and for an Open without a body", undefined, NotApplicable],
  ["a headless browser that is not there tells nothing", { Headless: true }, Undecidable],
  ["nor does one that is headless by the other spelling", { headless: true }, Undecidable],
])("%s", async (_, options, expected) => {
  await expect(expectOpened(async () => exchangeOf(options, 503, UNAVAILABLE))).rejects.toThrow(expected);
});

test("options that are refused break the contract", async () => {
  const refused = exchangeOf({}, 400, { status: 400, name: "BadRequest" });
  await expect(expectOpened(async () => refused)).rejects.toThrow(Violation);
});
