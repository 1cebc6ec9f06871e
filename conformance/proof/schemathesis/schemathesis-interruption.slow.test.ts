import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RunReport } from "../../src/reports/report.ts";
import { findTool } from "../../src/schemathesis/find-tool.ts";
import { type FaultyServer, startFaultyServer } from "../faulty-server.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** A delay in ms that is much shorter than the rest of the run. */
const SOON_MS = 8000;

test("SIGTERM stops Schemathesis, closes its browsers and deletes its files", async ({ skip }) => {
  const found = await findTool({ how: "local", image: undefined, python: undefined, env });
  const why = "why" in found ? found.why : undefined;
  skip(why !== undefined, why);
  await using server = await startFaultyServer();
  const folder = await mkdtemp(join(tmpdir(), "rbs-interruption-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const report = join(folder, "report.json");
  const chosen = ["--profile", "full", "--rule", "RBS-FUZZ", "--schemathesis", "local", "--json", report];
  const child = spawn(execPath, [MAIN, "--base-url", server.url.href, ...chosen], {
    env: { ...env, RBS_TOKEN: server.token, TMPDIR: folder },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await vi.waitUntil(async () => (await labels(server)).some((label) => label.includes("-fuzz")), { timeout: 60_000 });
  const interruptedAt = Date.now();
  child.kill("SIGTERM");
  expect(await ended).toEqual([2, null]);
  expect(Date.now() - interruptedAt).toBeLessThan(SOON_MS);
  const { rules, leftBehind } = JSON.parse(await readFile(report, "utf8")) as RunReport;
  const reasons = rules.filter(({ layer }) => layer === "schemathesis").map(({ reason }) => reason);
  expect(new Set(reasons)).toEqual(new Set(["The run was interrupted."]));
  expect(leftBehind).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith("rbs-fuzz-"))).toEqual([]);
  // If Schemathesis were still running, it would open another browser within this time.
  await sleep(2000);
  expect(await labels(server)).toEqual([]);
});

async function labels({ url, token }: FaultyServer): Promise<readonly string[]> {
  const answer = await fetch(new URL("/api/v1/Browser/Get", url), { headers: { Authorization: `Bearer ${token}` } });
  const { sessions } = (await answer.json()) as { sessions: readonly { label: string | null }[] };
  return sessions.map(({ label }) => label ?? "");
}
