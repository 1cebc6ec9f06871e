import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { whyMissing } from "../../../scripts/setup/toolchains.ts";
import { NONE, add, withExit } from "../../../scripts/tally/tally.ts";
import { countJunit } from "../reports/junit.ts";
import type { Language } from "./language.ts";

const REPORTS = "clients/java/**/target/{surefire,failsafe}-reports/TEST-*.xml";

export const java: Language = {
  id: "java",
  title: "Java",
  missing: (root) => whyMissing("maven", root),
  async run({ root, command }) {
    // Maven keeps reports of tests that no longer exist.
    for (const file of globSync(REPORTS, { cwd: root })) rmSync(join(root, file));
    const args = ["--batch-mode", "--quiet", "--file", "clients/java/pom.xml", "verify"];
    const exitCode = await command({ program: "mvn", args, cwd: root });
    const reports = globSync(REPORTS, { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
    return withExit(reports.map(countJunit).reduce(add, NONE), exitCode);
  },
};
