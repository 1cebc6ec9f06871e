import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { usedSeconds } from "./processor-time.ts";

// Vitest runs this module before each test file, even if test files share a process. The hook below runs last, because
// Vitest runs a file's hooks in reverse order.
const report = process.env["RBS_PROCESSOR_TIME"];
const before = usedSeconds();
if (report !== undefined)
  afterAll(() => {
    const line = { file: expect.getState().testPath, seconds: usedSeconds() - before };
    appendFileSync(report, `${JSON.stringify(line)}\n`);
  });
