import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startProgram } from "../../clients/test/program.ts";
import { freePort } from "../../server/test/support/machine/free-port.ts";
import type { RunReport } from "../src/reports/report.ts";
import { runCommand } from "./support/run-command.ts";

const MOCK = fileURLToPath(new URL("../../scripts/mock.ts", import.meta.url));

test("a stateless mock server fails the rules that it breaks and does not crash the suite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rbs-mock-"));
  try {
    const args = [MOCK, "--port", String(await freePort())];
    await using mock = await startProgram({ args, settings: {}, readyLine: /^The mock answers on (\S+)$/ });
    const json = join(folder, "report.json");
    const command = ["--base-url", mock.ready, "--token", "any", "--profile", "smoke", "--json", json];
    const { code } = await runCommand(command);
    const report = JSON.parse(await readFile(json, "utf8")) as RunReport;
    expect(code).toBe(1);
    const verdictOf = (id: string) => report.rules.find((rule) => rule.id === id)?.verdict;
    // The mock server keeps no state, lists browsers that don't exist, and accepts every token.
    for (const id of ["RBS-CLOSE-02", "RBS-LIST-01", "RBS-AUTH-02"]) expect([id, verdictOf(id)]).toEqual([id, "fail"]);
    expect(verdictOf("RBS-CLOSE-01")).toBe("inconclusive");
    // The mock server returns the contract's example bodies.
    for (const id of ["RBS-ANSWER-02", "RBS-AUTH-01"]) expect([id, verdictOf(id)]).toEqual([id, "pass"]);
    const crashes = report.rules.filter(({ reason }) => reason?.includes("The check itself failed") === true);
    expect(crashes.map(({ id, reason }) => [id, reason])).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
