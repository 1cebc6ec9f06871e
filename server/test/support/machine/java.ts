import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./run-program.ts";

const POM = fileURLToPath(new URL("../../selenium/pom.xml", import.meta.url));

/** The first run downloads about 30 MB. */
export const MAVEN_MS = 300_000;

/** Whether this machine can run the Java tests. The setup installs Java on systems with apt. */
export const HAS_JAVA = ["javac", "mvn"].every((program) => spawnSync(program, ["-version"]).status === 0);

/** The class path of a Java program that uses Selenium, for `java -cp`. */
export async function readClassPath(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "classpath-"));
  try {
    const file = join(folder, "classpath");
    const goal = ["dependency:build-classpath", `-Dmdep.outputFile=${file}`];
    await runProgram("mvn", ["--batch-mode", "--quiet", "--file", POM, ...goal], {}, MAVEN_MS);
    return readFileSync(file, "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
