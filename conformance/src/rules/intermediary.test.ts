import { expect, test } from "vitest";
import { NotApplicable } from "../registry/violation.ts";
import { expectFromService } from "./intermediary.ts";

const WHAT = "a malformed handshake";

test("a refusal without a name comes from something in front of the service", () => {
  const received = { status: 400, headers: {}, text: "<h1>Bad Request</h1>", json: undefined };
  expect(() => expectFromService(received, WHAT)).toThrow(NotApplicable);
});

test.each([
  ["a refusal with a name", { status: 400, json: { name: "BadRequest" } }],
  ["a handshake that is granted", { status: 101, json: undefined }],
])("%s comes from the service", (_, answer) => {
  expect(() => expectFromService({ headers: {}, text: "", ...answer }, WHAT)).not.toThrow();
});
