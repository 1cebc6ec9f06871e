/** The numbers of passed, failed and skipped tests. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** The part of Vitest's JSON report that we read. */
type Report = {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly name?: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName?: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
};

const SKIPPED: ReadonlySet<string> = new Set(["pending", "skipped", "todo", "disabled"]);

export const NONE: Tally = { passed: 0, failed: 0, skipped: 0 };

export function add(left: Tally, right: Tally): Tally {
  return {
    passed: left.passed + right.passed,
    failed: left.failed + right.failed,
    skipped: left.skipped + right.skipped,
  };
}

/**
 * Counts a run's tests. An error outside of a test also counts as one failed test: a file that fails to load, an error
 * after the last test, or a missing report.
 * @param json Vitest's JSON report; undefined if it is missing.
 * @param exitCode Vitest's exit code; null if a signal terminated Vitest.
 */
export function readTally(json: string | undefined, exitCode: number | null): Tally {
  const tally = readReport(json).reduce((sum, file) => add(sum, tallyFile(file)), NONE);
  return withExit(tally, exitCode);
}

/** Counts a nonzero exit code without failed tests as one failed test. @param exitCode Null if killed by a signal. */
export function withExit(tally: Tally, exitCode: number | null): Tally {
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/** Lists the names of skipped tests in Vitest's JSON report. */
export function listSkipped(json: string | undefined): string[] {
  const tests = readReport(json).flatMap(({ assertionResults }) => assertionResults);
  return tests.filter(({ status }) => SKIPPED.has(status)).map(({ fullName = "a test without a name" }) => fullName);
}

/** Lists the failed tests in Vitest's JSON report, and the files with an error outside of tests, one line each. */
export function listFailed(json: string | undefined): string[] {
  return readReport(json)
    .filter(({ status }) => status === "failed")
    .flatMap(({ name = "a file without a name", message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === "failed");
      const describe = (test = "", why = ""): string => [name, test, why.split("\n", 1)[0]].filter(Boolean).join(": ");
      if (failed.length === 0) return [describe("", message)];
      return failed.map(({ fullName, failureMessages }) => describe(fullName, failureMessages?.[0]));
    });
}

/** Renders the last line of the output, which programs parse. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Parses the last line of a command's output. @param exitCode The command's exit code; null if killed by a signal. */
export function readClosingLine(output: string, exitCode: number | null): Tally {
  const [, passed, failed, skipped = "0"] =
    /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(output.trimEnd().split("\n").at(-1) ?? "") ?? [];
  const tally = { passed: Number(passed ?? 0), failed: Number(failed ?? 0), skipped: Number(skipped) };
  return withExit(tally, exitCode);
}

function readReport(json: string | undefined): Report["testResults"] {
  try {
    return json === undefined ? [] : (JSON.parse(json) as Report).testResults;
  } catch {
    // The report is incomplete, so the exit code decides.
    return [];
  }
}

function tallyFile({ status, assertionResults }: Report["testResults"][number]): Tally {
  const count = (...names: string[]): number =>
    assertionResults.filter((result) => names.includes(result.status)).length;
  const failed = count("failed");
  return {
    passed: count("passed"),
    failed: status === "failed" ? Math.max(failed, 1) : failed,
    skipped: count(...SKIPPED),
  };
}
