import { expect, test } from "vitest";
import { RecordingLog } from "./recording-log.ts";

test("the text of a log contains the message, the cause and the other properties of errors", () => {
  const log = new RecordingLog();
  const error = Object.assign(new Error("first canary", { cause: new Error("second canary") }), {
    url: "third canary",
  });
  log.error("it.failed", { error });
  for (const canary of ["it.failed", "first canary", "second canary", "third canary"]) {
    expect(log.text()).toContain(canary);
  }
});
