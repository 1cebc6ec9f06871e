import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { copyWorkspace } from "../walk-through/copy-workspace.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DATE = "2026-01-02T03:04:05Z";
const BUILD_MS = 900_000;

/** Builds a release in a copy of the workspace. @returns The release's checksums, one line per file. */
function release(umask: string, zone: string): string[] {
  using copy = copyWorkspace(ROOT);
  const env = { ...process.env, TZ: zone, GIT_AUTHOR_DATE: DATE, GIT_COMMITTER_DATE: DATE };
  const run = (script: string): void =>
    void execFileSync("sh", ["-ec", script], { cwd: copy.folder, env, stdio: "pipe" });
  run("git init --quiet && git add . && git -c user.name=A -c user.email=a@example.com commit --quiet --message A");
  run(`umask ${umask} && "${process.execPath}" scripts/release.ts`);
  return readFileSync(join(copy.folder, "dist/release/SHA256SUMS"), "utf8").trim().split("\n");
}

test("two builds of the same commit produce the same files", { timeout: 2 * BUILD_MS }, () => {
  const first = release("022", "UTC");
  expect(first.map((line) => line.split("  ")[1]?.replaceAll(/\d+\.\d+\.\d+/g, "V"))).toEqual(
    expect.arrayContaining([
      "remote-browser-V.jar",
      "remote-browser-client-V.tgz",
      "remote-browser-service-V.cdx.json",
      "remote-browser-service-V.tar.gz",
      "remote_browser-V-py3-none-any.whl",
    ]),
  );
  expect(release("027", "Asia/Tokyo")).toEqual(first);
});
