import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NONE, withExit } from "../../../scripts/tally/tally.ts";
import { countJunit } from "../reports/junit.ts";
import { PYTHON, whyMissing } from "../../../scripts/setup/toolchains.ts";
import type { Language } from "./language.ts";

export const python: Language = {
  id: "python",
  title: "Python",
  missing: (root) => whyMissing("python", root),
  async run({ root, folder, command }) {
    const report = join(folder, "pytest.xml");
    const args = ["-m", "pytest", "clients/python", "-q", `--junitxml=${report}`];
    const exitCode = await command({ program: join(root, PYTHON), args, cwd: root });
    return withExit(existsSync(report) ? countJunit(readFileSync(report, "utf8")) : NONE, exitCode);
  },
};
