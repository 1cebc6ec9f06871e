import { expect, test } from "vitest";
import { toLine } from "./run-prism.ts";

test.each([
  [
    "[2:16:15 PM] › [CLI] ▶  start     Prism is listening on http://127.0.0.1:4010",
    "The mock answers on http://127.0.0.1:4010",
  ],
  [
    "[2:16:15 PM] ›     [VALIDATOR] ✖  error     Violation: request.body.KeepOpen Request body property KeepOpen must be number,null",
    "A request doesn't match the contract: Request body property KeepOpen must be number,null",
  ],
  [
    "[2:16:15 PM] ›     [VALIDATOR] ✖  error     Violation: request Invalid security scheme used",
    "A request doesn't match the contract: Invalid security scheme used",
  ],
  [
    "[2:16:15 PM] › [HTTP SERVER] post /api/v1/Opn ✖  error     Request terminated with error: https://stoplight.io/prism/errors#NO_PATH_MATCHED_ERROR: Route not resolved, no path matched",
    "POST /api/v1/Opn: Route not resolved, no path matched",
  ],
  ["Something else", "Something else"],
])("printed: %s", (text, line) => {
  expect(toLine(text)).toBe(line);
});

test.each([
  "",
  "[2:16:15 PM] › [CLI] …  awaiting  Starting Prism…",
  "[2:16:15 PM] › [CLI] ℹ  info      POST       http://127.0.0.1:4010/api/v1/Browser/Open",
  "[2:16:15 PM] › [HTTP SERVER] post /api/v1/Browser/Open ℹ  info      Request received",
  "[2:16:15 PM] ›     [VALIDATOR] ⚠  warning   Request did not pass the validation rules",
  '[2:16:15 PM] ›     [VALIDATOR] ✖  error     Violation: response.header.www-authenticate Response header parameter www-authenticate must match pattern "^Bearer"',
])("not printed: %s", (text) => {
  expect(toLine(text)).toBeUndefined();
});
