import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReport } from "./read-report.ts";
import { aFailure, aFinding, aReport, aRule, anExchange, NASTY } from "./test/a-report.ts";
import { writeReports } from "./write-reports.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "conformance-"));
  path = join(folder, "report.json");
});
afterEach(() => rm(folder, { recursive: true }));

async function readText(text: string) {
  await writeFile(path, text);
  return readReport(path);
}

test("a report matches its schema when written and can be read back", async () => {
  const nasty = aFinding({ seen: NASTY, exchanges: [anExchange({ received: NASTY, sent: null, status: null })] });
  const report = aReport([
    aRule(),
    aFailure({ id: "RBS-OPEN-04", knownFailure: "Ticket 12" }),
    aRule({ id: "RBS-ANSWER-11", level: "recommended", verdict: "warn", findings: [nasty] }),
    aRule({ id: "RBS-SUB-01", verdict: "skip", reason: "It needs --token-no-subscription." }),
    aRule({ id: "RBS-OPEN-05", verdict: "inconclusive", reason: "The rule did not finish within 180 s." }),
  ]);
  await writeReports(report, { json: path });
  expect(await readReport(path)).toEqual(report);
});

test("a report with another schema version is rejected", async () => {
  const text = JSON.stringify({ ...aReport([]), schemaVersion: 1 });
  await expect(readText(text)).rejects.toThrow(/has schema version 1, but this suite compares reports of version 2/);
});

test("other JSON is rejected with the first error", async () => {
  await expect(readText("{}")).rejects.toThrow(/is not a report of this suite: its top must have required property/);
  await expect(readText("<html>")).rejects.toThrow(/is not JSON/);
  const wrong = aReport([aRule({ sentence: "" })]);
  await expect(readText(JSON.stringify(wrong))).rejects.toThrow("/rules/0/sentence");
});

test("a skipped rule must have a reason", async () => {
  await expect(readText(JSON.stringify(aReport([aRule({ verdict: "skip" })])))).rejects.toThrow("/rules/0/reason");
});
