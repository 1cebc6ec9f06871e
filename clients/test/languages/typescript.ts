import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readTally } from "../../../scripts/tally/tally.ts";
import type { Language } from "./language.ts";

export const typescript: Language = {
  id: "typescript",
  title: "TypeScript",
  // The TypeScript client needs only Node, which also runs this program.
  missing: () => undefined,
  async run({ root, folder, command }) {
    const report = join(folder, "vitest.json");
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const args = [vitest, "run", "--project", "scenarios", ...reporters];
    const exitCode = await command({ program: process.execPath, args, cwd: root });
    return readTally(readIfThere(report), exitCode);
  },
};

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
