import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findProgram, isExecutable } from "./programs.mjs";

/** Optional toolchains that parts of the workspace need in addition to Node. */
export type Toolchain = "go" | "java" | "maven" | "python" | "rust";

/** Path, relative to the workspace, of the Python that has the packages in requirements.txt. */
export const PYTHON = ".venv/bin/python";

/** Returns why a toolchain is missing on this machine; undefined if it is installed. @param root The workspace. */
export function whyMissing(toolchain: Toolchain, root: string): string | undefined {
  switch (toolchain) {
    case "go":
      return lacking("go") ?? whyTooOld(root);
    case "java":
      return lacking("java");
    case "maven":
      return lacking("javac", "mvn");
    case "python":
      return isExecutable(join(root, PYTHON)) ? undefined : `no ${PYTHON}, which npm run setup creates`;
    case "rust":
      return lacking("cargo");
  }
}

function lacking(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => findProgram(program) === undefined);
  return missing.length === 0 ? undefined : `no ${missing.join(" and no ")} on the PATH`;
}

/** Debian's Go is years old, and can't read current go.mod files. */
function whyTooOld(root: string): string | undefined {
  const { status } = spawnSync("go", ["list", "-m"], { cwd: join(root, "clients/go") });
  return status === 0 ? undefined : "the go on the PATH is too old for clients/go";
}
