import { execFile } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Bench, Row } from "../../bench.ts";
import { repeat, timeMs } from "../../measure/time.ts";
import type { Figure } from "../../report/figure.ts";
import { seconds, times } from "../../report/units.ts";
import type { Server } from "../../subjects/processes/server.ts";

const SUITE = fileURLToPath(new URL("../../../../conformance/src/main.ts", import.meta.url));

type Profile = { readonly name: "smoke" | "full"; readonly parallel: number; readonly maxMs: number };

const PROFILES: readonly Profile[] = [
  { name: "smoke", parallel: 8, maxMs: 20_000 },
  { name: "full", parallel: 8, maxMs: 150_000 },
];

/** The suite's duration, compared with the time needed to only open and close the same number of browsers. */
export const conformance: Row = {
  name: "conformance",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const [done, profile] of PROFILES.entries()) {
      await using server = await bench.newServer({ isolation: "sandbox", warm: 1 });
      const { durationMs, opens } = await runSuite(bench, server, profile);
      const openAndClose = async (): Promise<void> => server.close(await server.open({ Headless: true }));
      const opensMs = await timeMs(() => repeat(opens, profile.parallel, openAndClose));
      figures.push({
        name: `Conformance, profile ${profile.name}, one token`,
        ours: seconds(durationMs),
        baseline: `only its ${opens} Open requests, ${profile.parallel} at a time ${seconds(opensMs)}`,
        compared: times(durationMs / opensMs),
        target: `≤ ${seconds(profile.maxMs)}`,
        isMet: durationMs <= profile.maxMs,
      });
      bench.report(done + 1, PROFILES.length);
    }
    return figures;
  },
};

/** Exit code if the suite couldn't test a rule, for example because the server was too fast. */
const INCONCLUSIVE = 2;

/** @throws {Error} If the server breaks a rule. */
async function runSuite(
  bench: Bench,
  { url, token }: Server,
  { name }: Profile,
): Promise<{ readonly durationMs: number; readonly opens: number }> {
  const folder = bench.newFolder();
  await mkdir(folder);
  const json = join(folder, "report.json");
  const args = [SUITE, "--base-url", url.href, "--profile", name, "--partial", "--json", json];
  const env = { ...process.env, RBS_TOKEN: token };
  // A rule violation fails the row, because it makes the run's duration meaningless.
  await promisify(execFile)(process.execPath, args, { env, maxBuffer: 2 ** 24 }).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== INCONCLUSIVE) throw error;
  });
  const report = JSON.parse(await readFile(json, "utf8")) as { durationMs: number; opens: { used: number } };
  return { durationMs: report.durationMs, opens: report.opens.used };
}
