import { expect, test } from "vitest";
import { renderGoAnswers } from "./answers.ts";
import { contractWith, object } from "./contract.fixtures.ts";

test("a nullable member is a pointer, with a name in Go's spelling", () => {
  const text = renderGoAnswers(contractWith());
  expect(text).toContain("\t// nil while stopped.\n\tVNCPass *string\n");
  expect(text).toContain("\tanswer.VNCPass = model.Vncpass.Get()\n");
});

test("a date is a time.Time, and the repeated HTTP status is left out", () => {
  const startedOn = { type: "string", format: "date-time", description: "When." };
  const text = renderGoAnswers(contractWith({ Session: object({ startedOn }) }));
  expect(text).toContain("\tStartedOn time.Time\n");
  expect(text).toContain("type Desktop struct {\n\t// For viewers.\n\tRFBURL string\n}");
  expect(text).not.toContain("Status");
});

test("a member that is never null must not be empty", () => {
  const text = renderGoAnswers(contractWith());
  expect(text).toContain('\tif answer.RFBURL == "" {\n\t\treturn answer, errors.New("it has no rfbUrl")\n\t}\n');
  expect(text).not.toContain("answer.VNCPass ==");
});
