import { expect, test } from "vitest";
import { NotOffered, Undecidable, Violation } from "../target/violation.ts";
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
  ["a missing graphical browser means that the deployment lacks graphical browsers", { Headless: false }, NotOffered],
  ["a missing default browser means that the deployment lacks graphical browsers", {}, NotOffered],
  ["if an empty body's default browser is missing, the deployment lacks graphical browsers", undefined, NotOffered],
  ["a missing headless browser is inconclusive", { Headless: true }, Undecidable],
  ["a missing headless browser in camelCase is inconclusive", { headless: true }, Undecidable],
])("%s", async (_, options, expected) => {
  await expect(expectOpened(async () => exchangeOf(options, 503, UNAVAILABLE))).rejects.toThrow(expected);
});

test("rejecting valid options violates the contract", async () => {
  const refused = exchangeOf({}, 400, { status: 400, name: "BadRequest" });
  await expect(expectOpened(async () => refused)).rejects.toThrow(Violation);
});
