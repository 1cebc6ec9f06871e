import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "./run-program.ts";

const POM = fileURLToPath(new URL("../selenium/pom.xml", import.meta.url));

/** The first time, Maven fetches some 30 MB. */
export const MAVEN_MS = 300_000;

/** Whether this machine can run Java's half of the tests; the set-up brings it where packages come by apt. */
export const HAS_JAVA = ["javac", "mvn"].every((program) => spawnSync(program, ["-version"]).status === 0);

/** What a Java program that uses Selenium needs, for `java -cp`. */
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
