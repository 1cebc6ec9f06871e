import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { usedSeconds } from "./processor-time.ts";

// Vitest runs this before each file, even if files share a process, and runs the hooks of a file in reverse order. So
// this hook is the last one.
const report = process.env["RBS_PROCESSOR_TIME"];
const before = usedSeconds();
if (report !== undefined)
  afterAll(() => {
    const line = { file: expect.getState().testPath, seconds: usedSeconds() - before };
    appendFileSync(report, `${JSON.stringify(line)}\n`);
  });
