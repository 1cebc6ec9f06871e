import { expect, test } from "vitest";
import { KeptLog } from "./kept-log.ts";

test("the text of a log has what errors in it say, what caused them and what else they carry", () => {
  const log = new KeptLog();
  const error = Object.assign(new Error("first canary", { cause: new Error("second canary") }), {
    url: "third canary",
  });
  log.error("it.failed", { error });
  for (const canary of ["it.failed", "first canary", "second canary", "third canary"]) {
    expect(log.text()).toContain(canary);
  }
});
