import type { OperationId } from "@remote-browser/contract/operations";
import { expect, test } from "vitest";
import { ANSWER_RULES } from "../rules/protocol/answers.ts";
import { Secrets } from "../session/secrets.ts";
import type { Session } from "../session/session.ts";
import { judgeExchanges } from "./check-rule.ts";

/** Judges 200 responses that have a web page as their body. */
function verdictOf(...operations: readonly OperationId[]) {
  const [rule] = ANSWER_RULES;
  const exchanges = operations.map((operation) => ({
    sent: { method: "GET", url: "http://h/api/v1/", headers: {}, body: undefined },
    received: { status: 200, headers: { "content-type": "text/html" }, text: "<p>", json: undefined },
    ...{ operation, startedAt: 0, endedAt: 0 },
  }));
  const secrets = new Secrets({});
  const session = { exchanges, options: { contract: "1.1" }, secrets, redact: (text: string) => text };
  return rule && judgeExchanges(session as unknown as Session, rule).verdict;
}

test("a rule that only a preview breaks is a warning", () => {
  expect(verdictOf("takeScreenshotImage")).toBe("warn");
  expect(verdictOf("takeScreenshotImage", "getBrowsers", "takeScreenshotImage")).toBe("fail");
});
