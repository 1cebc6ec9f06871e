#!/usr/bin/env node
import { argv, env, exit, stderr, stdout, versions } from "node:process";
import manifest from "../package.json" with { type: "json" };
import { ConfigError } from "./config-error.ts";
import { runConformance } from "./conformance.ts";
import { NEWEST_VERSION } from "./contract/versions.ts";
import { describePlan } from "./describe-plan.ts";
import { type Deployment, examine } from "./preflight/examine.ts";
import { type Options, readOptions } from "./options.ts";
import { type Plan, planRun } from "./plan.ts";
import { RULES } from "./registry/registry.ts";
import { type Comparison, compareReports } from "./reports/comparison.ts";
import { readExpectedFailures } from "./reports/expected-failures.ts";
import { readReport } from "./reports/read-report.ts";
import { progressReporter } from "./reports/terminal/progress.ts";
import { wantsColours } from "./reports/terminal/style.ts";
import { renderSummary } from "./reports/terminal/summary.ts";
import { prepareReports, writeReports } from "./reports/write-reports.ts";
import { fuzzOpens } from "./schemathesis/command.ts";

/** The program name and version to include in reports. */
const TOOL = { name: manifest.name, version: manifest.version } as const;
const INCONCLUSIVE = 2;
const NARROWEST = 80;
/** What a dry run knows about the deployment. */
const NOTHING: Deployment = { contract: NEWEST_VERSION, lacks: [], before: new Map() };
const NO_FAILURES: ReadonlyMap<string, string> = new Map();

async function main(): Promise<number> {
  expectNode();
  const options = readOptions(argv.slice(2), env);
  if (typeof options === "string") {
    stdout.write(options);
    return 0;
  }
  // Read all files first, so that an invalid file doesn't waste a run.
  const { expectedFailures, compare } = options;
  const ids = RULES.map(({ id }) => id);
  const knownFailures =
    expectedFailures === undefined ? NO_FAILURES : await readExpectedFailures(expectedFailures, ids);
  const previous = compare === undefined ? undefined : await readReport(compare);
  if (!options.isDryRun) await prepareReports(options.reports);
  const deployment = options.isDryRun ? NOTHING : await examine(options.run, options.contract);
  const contract = options.contract ?? deployment.contract;
  const { lacks } = deployment;
  const plan = planRun(RULES, options, { contract, lacks, fuzzOpens: fuzzOpens(options.run.profile) });
  stdout.write(describePlan(plan, options, contract));
  if (options.isDryRun) return 0;

  const report = await run(options, deployment, plan, knownFailures);
  const comparison: Comparison | undefined = previous && compareReports(previous, report);
  const width = stdout.columns ?? NARROWEST;
  const isColoured = wantsColours(stdout.isTTY, env);
  stdout.write(renderSummary(report, { isColoured, width, comparison, isVerbose: options.isVerbose }));
  const { paths, problems } = await writeReports(report, options.reports, comparison);
  for (const path of paths) stdout.write(`Written: ${path}\n`);
  for (const problem of problems) stderr.write(`${problem}\n`);
  return problems.length > 0 && report.exitCode === 0 ? INCONCLUSIVE : report.exitCode;
}

async function run(options: Options, deployment: Deployment, plan: Plan, knownFailures: ReadonlyMap<string, string>) {
  using progress = progressReporter(stderr, {
    sentences: new Map(plan.rules.map(({ id, sentence }) => [id, sentence])),
    isColoured: wantsColours(stderr.isTTY, env),
  });
  return await runConformance({
    ...{ plan, deployment, fuzzer: options.fuzzer, knownFailures, tool: TOOL },
    run: { ...options.run, contract: deployment.contract, lacks: deployment.lacks },
    selection: { profile: options.run.profile, rules: options.rules, isPartial: options.isPartial },
    maxOpens: options.maxOpens,
    interruption: interruptible(),
    onResult: (result) => progress.onResult(result),
  });
}

/** @throws {ConfigError} If this version of Node is too old. */
function expectNode(): void {
  const [major = 0, minor = 0] = versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return;
  throw new ConfigError([`The suite requires Node 22.12 or later. This is Node ${versions.node}.`]);
}

/** On SIGINT or SIGTERM, the run closes its browsers and writes reports. On a second signal, it exits immediately. */
function interruptible(): AbortSignal {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (interruption.signal.aborted) exit(INCONCLUSIVE);
      stderr.write("\nInterrupted. Closing the browsers that this run opened.\n");
      interruption.abort();
    });
  }
  return interruption.signal;
}

main().then(
  (code) => exit(code),
  (error: unknown) => {
    const isMistake = error instanceof ConfigError;
    const text = error instanceof Error ? ((isMistake ? undefined : error.stack) ?? error.message) : String(error);
    stderr.write(
      isMistake ? `${text}\n` : `The suite itself failed. This says nothing about the deployment.\n${text}\n`,
    );
    exit(INCONCLUSIVE);
  },
);
