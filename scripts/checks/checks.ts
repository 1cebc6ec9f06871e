import { delimiter, join } from "node:path";
import { runCommand } from "../setup/programs.mjs";
import { PYTHON, type Toolchain, whyMissing } from "../setup/toolchains.ts";

/** A check of the sources, and the command that runs it. */
export type Check = {
  readonly name: string;
  /** A program in node_modules/.bin, or `node` and a file, followed by arguments. */
  readonly command: readonly [string, ...string[]];
  /** The toolchain that the check requires. The check is skipped if the toolchain is missing. */
  readonly needs?: Toolchain;
  /**
   * Name of an earlier check. If that check fails, this check is skipped, because it would fail for the same reason.
   */
  readonly after?: string;
  /** Whether the client tests, which `npm test` runs, include this check. */
  readonly isInTests?: boolean;
};

/** The check that others depend on: code generated from a broken contract would also be broken. */
const CONTRACT = "contract";

/** The contract check comes first, then the slowest checks, because two checks run at a time. */
export const CHECKS: readonly Check[] = [
  { name: CONTRACT, command: ["node", "openapi/scripts/lint.ts"] },
  {
    name: "clients are generated",
    command: ["node", "scripts/generate-clients.ts", "--check"],
    after: CONTRACT,
    needs: "java",
  },
  { name: "lint", command: ["oxlint"] },
  {
    name: "Java client types",
    command: ["mvn", "--batch-mode", "--quiet", "--file", "clients/java/pom.xml", "test-compile"],
    needs: "maven",
    isInTests: true,
  },
  { name: "contract is generated", command: ["node", "openapi/scripts/fresh.ts"], after: CONTRACT },
  // With several checkers, tsc would run them in parallel, but each would check the shared files again.
  { name: "types", command: ["tsc", "--checkers", "1"] },
  { name: "page script types", command: ["tsc", "--checkers", "1", "-p", "server/src/web"] },
  {
    name: "conformance suite's Python types",
    command: [PYTHON, "-m", "mypy", "--strict", "conformance/src/schemathesis/python/browser_checks"],
    needs: "python",
  },
  {
    name: "example server's types",
    command: [PYTHON, "-m", "mypy", "--strict", "conformance/foreign"],
    needs: "python",
  },
  {
    name: "conformance suite's Python lint",
    command: [PYTHON, "-m", "ruff", "check", "conformance"],
    needs: "python",
  },
  {
    name: "conformance suite's Python format",
    command: [PYTHON, "-m", "ruff", "format", "--check", "conformance"],
    needs: "python",
  },
  {
    name: "Python client types",
    command: [PYTHON, "-m", "mypy", "--config-file", "clients/python/pyproject.toml", "clients/python"],
    needs: "python",
  },
  { name: "Python client lint", command: [PYTHON, "-m", "ruff", "check", "clients/python"], needs: "python" },
  {
    name: "Python client format",
    command: [PYTHON, "-m", "ruff", "format", "--check", "clients/python"],
    needs: "python",
  },
  {
    name: "Go client types",
    command: ["go", "-C", "clients/go", "vet", "./...", "./remotechromedp/..."],
    needs: "go",
  },
  { name: "format", command: ["oxfmt", "--list-different"] },
  { name: "contract breaks no client", command: ["node", "openapi/changes/check.ts"], after: CONTRACT },
  { name: "layers", command: ["node", "scripts/checks/layers.ts"] },
  { name: "nothing is unused", command: ["knip"] },
  { name: "words", command: ["node", "scripts/checks/words.ts"] },
  { name: "actions are pinned", command: ["node", "scripts/checks/pins.ts"] },
  { name: "arguments are generated", command: ["node", "scripts/generate-arguments.ts", "--check"] },
  { name: "mock's table is generated", command: ["node", "scripts/generators/mock.ts", "--check"] },
  { name: "every promise has a rule", command: ["node", "scripts/checks/rules.ts"] },
  { name: "rules are listed", command: ["node", "scripts/generators/rules.ts", "--check"] },
  { name: "ledger", command: ["node", "scripts/checks/ledger.ts"] },
  { name: "versions agree", command: ["node", "scripts/packaging/stamp.ts", "--check"] },
  { name: "notices are generated", command: ["node", "scripts/generators/notices.ts", "--check"] },
];

export type Verdict = {
  readonly check: Check;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly ms: number;
  /** The command's output, or the reason why the check was skipped. */
  readonly output: string;
};

/** Programs in Go, such as tsc, collect garbage when their memory has grown by this percentage. Go's default is 100. */
const GOGC = "400";

/** Each check is a process that keeps a core busy, so running more at the same time doesn't help. */
const AT_ONCE = 2;

/**
 * Runs all checks, some of them concurrently, and reports each when it ends.
 * @param root The workspace.
 * @param report Called once for each check, in the order in which they end.
 * @returns The verdicts, in the same order as the checks.
 */
export async function runChecks(
  root: string,
  report: (verdict: Verdict) => void,
  checks: readonly Check[] = CHECKS,
): Promise<readonly Verdict[]> {
  const verdicts = new Map<Check, Verdict>();
  const running = new Map<string, Promise<Verdict>>();
  const waiting = [...checks];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const earlier = check.after === undefined ? undefined : await running.get(check.after);
      const started =
        earlier?.outcome === "failed"
          ? { check, outcome: "skipped" as const, ms: 0, output: `${earlier.check.name} failed` }
          : runCheck(root, check);
      running.set(check.name, Promise.resolve(started));
      const verdict = await started;
      verdicts.set(check, verdict);
      report(verdict);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return checks.flatMap((check) => verdicts.get(check) ?? []);
}

async function runCheck(root: string, check: Check): Promise<Verdict> {
  const why = check.needs && whyMissing(check.needs, root);
  if (why !== undefined) return { check, outcome: "skipped", ms: 0, output: why };
  const startedMs = performance.now();
  const [program, ...args] = check.command;
  const path = [join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  const env = { ...process.env, PATH: path, GOGC };
  const { isOk, output } = await runCommand(program, args, { cwd: root, env });
  return { check, outcome: isOk ? "passed" : "failed", ms: performance.now() - startedMs, output };
}

const WORDS = { passed: "ok     ", failed: "FAILED ", skipped: "skipped" } as const;

/** Returns one line per check, followed by the output if the check failed. */
export function describeVerdict({ check, outcome, ms, output }: Verdict): string {
  const why = outcome === "skipped" ? output : `${(ms / 1000).toFixed(1)} s`;
  const line = `${WORDS[outcome]} ${check.name} (${why})\n`;
  return outcome === "failed" ? `${line}${output.trim().replaceAll(/^/gm, "        ")}\n` : line;
}
