import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { usedSeconds } from "./processor-time.ts";

// Vitest runs this before each file. A file has a process of its own, and hooks end in reverse order, so this is the last one.
const report = process.env["RBS_PROCESSOR_TIME"];
const before = usedSeconds();
if (report !== undefined)
  afterAll(() => {
    const line = { file: expect.getState().testPath, seconds: usedSeconds() - before };
    appendFileSync(report, `${JSON.stringify(line)}\n`);
  });
