import { expect, test } from "vitest";
import { NotApplicable } from "../target/violation.ts";
import { expectFromService } from "./intermediary.ts";

const WHAT = "a malformed handshake";

test("a rejection without an error name comes from an intermediary", () => {
  const received = { status: 400, headers: {}, text: "<h1>Bad Request</h1>", json: undefined };
  expect(() => expectFromService(received, WHAT)).toThrow(NotApplicable);
});

test.each([
  ["a rejection with an error name", { status: 400, json: { name: "BadRequest" } }],
  ["an accepted handshake", { status: 101, json: undefined }],
])("%s comes from the service", (_, answer) => {
  expect(() => expectFromService({ headers: {}, text: "", ...answer }, WHAT)).not.toThrow();
});
