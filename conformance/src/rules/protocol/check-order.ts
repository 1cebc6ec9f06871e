import { type FailureName, operations } from "@remote-browser/contract/operations";
import { unusedAddress } from "../../target/addresses.ts";
import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectRefusal } from "../../session/expect.ts";
import { padded, sendLarge } from "../../scenario/send-large.ts";
import type { OutgoingRequest } from "../../target/target.ts";

const { path, maxBodyBytes } = operations.closeBrowser;
const NO_TOKEN = { Authorization: "" };
const JSON_TYPE = { "Content-Type": "application/json" };
const TEXT_TYPE = { "Content-Type": "text/plain" };
const TOO_LARGE = padded({ address: unusedAddress() }, maxBodyBytes + 1);

/** Requests with two errors, of which the server must report the one it checks for first. */
const PAIRS: readonly (readonly [FailureName, OutgoingRequest])[] = [
  ["NotFound", { method: "POST", path: `${path}r`, headers: { ...NO_TOKEN, ...JSON_TYPE }, body: "{" }],
  ["NotFound", { method: "PUT", path: `${path}r`, headers: TEXT_TYPE, body: "{}" }],
  ["MethodNotAllowed", { method: "PUT", path, headers: { ...NO_TOKEN, ...JSON_TYPE }, body: "{}" }],
  ["MethodNotAllowed", { method: "PUT", path, headers: TEXT_TYPE, body: "{" }],
  ["AuthorizationError", { method: "POST", path, headers: { ...NO_TOKEN, ...JSON_TYPE }, body: TOO_LARGE }],
  ["AuthorizationError", { method: "POST", path, headers: { ...NO_TOKEN, ...TEXT_TYPE }, body: "{}" }],
  ["AuthorizationError", { method: "POST", path, headers: { ...NO_TOKEN, ...JSON_TYPE }, body: "{" }],
  ["PayloadTooLarge", { method: "POST", path, headers: TEXT_TYPE, body: TOO_LARGE }],
  ["PayloadTooLarge", { method: "POST", path, headers: JSON_TYPE, body: `${TOO_LARGE}}` }],
  ["UnsupportedMediaType", { method: "POST", path, headers: TEXT_TYPE, body: "{" }],
  ["UnsupportedMediaType", { method: "POST", path, headers: TEXT_TYPE, body: "{}" }],
];

export const CHECK_ORDER_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-PATH-04",
    at: INFO,
    sentence:
      "A request is checked in a fixed order, and the first check that fails determines the response: path (404), method (405), token (401), rate (429), size (413), media type (415), content (400), and then whatever the operation itself checks.",
    check: (run) =>
      Promise.all(PAIRS.map(async ([name, request]) => expectRefusal(await sendLarge(run, request), name))),
  },
]);
