import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { whyMissing } from "../setup/toolchains.ts";
import { copyWorkspace } from "./copy-workspace.ts";
import { readSteps, takeStep } from "./steps.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The test builds the clients of all languages several times, which takes two minutes on an idle machine with two
 * cores.
 */
const TIMEOUT_MS = 600_000;

const missing = (["java", "maven", "python", "go"] as const).flatMap((each) => whyMissing(each, ROOT) ?? []);
const here = missing.length === 0 ? "" : ` (${missing.join(", ")})`;

test.skipIf(missing.length > 0)(
  `every step of docs/change-the-contract.md works${here}`,
  { timeout: TIMEOUT_MS },
  () => {
    using copy = copyWorkspace(ROOT);
    releaseContract(copy.folder);
    const page = readFileSync(`${ROOT}/docs/change-the-contract.md`, "utf8");
    const steps = readSteps(page);
    expect(steps.length).toBeGreaterThan(20);
    for (const step of steps) takeStep(step, copy.folder);
  },
);

/** The page starts from a released contract, but the workspace's contract may have additions since the last release. */
function releaseContract(folder: string): void {
  const versionIn = (file: string): unknown =>
    (JSON.parse(readFileSync(join(folder, file), "utf8")) as { info: { version: unknown } }).info.version;
  if (versionIn("openapi/generated/openapi.json") === versionIn("openapi/released/openapi.json")) return;
  execFileSync("npm", ["run", "--silent", "release", "-w", "openapi"], { cwd: folder, stdio: "pipe" });
}
