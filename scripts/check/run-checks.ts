import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { whyMissing } from "../toolchains/why-missing.ts";
import { CHECKS, type Check } from "./checks.ts";

export type Verdict = {
  readonly check: Check;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly ms: number;
  /** The command's output, or for a skipped check, why. */
  readonly output: string;
};

/** Each check is a process that keeps a core busy, so running more at the same time doesn't help. */
const AT_ONCE = 2;

/**
 * Runs all checks, some of them concurrently, and reports each when it ends.
 * @param root The workspace.
 * @param report Called once for each check, in the order in which they end.
 * @returns The verdicts, in the order of the checks.
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
  const { promise, resolve } = Promise.withResolvers<Verdict>();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const end = (isPassed: boolean): void =>
    resolve({ check, outcome: isPassed ? "passed" : "failed", ms: performance.now() - startedMs, output });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  }
  child.on("error", (error) => {
    output += error.message;
    end(false);
  });
  child.on("close", (code) => end(code === 0));
  return promise;
}

const WORDS = { passed: "ok     ", failed: "FAILED ", skipped: "skipped" } as const;

/** One line, and below it the output of a check that failed. */
export function describeVerdict({ check, outcome, ms, output }: Verdict): string {
  const why = outcome === "skipped" ? output : `${(ms / 1000).toFixed(1)} s`;
  const line = `${WORDS[outcome]} ${check.name} (${why})\n`;
  return outcome === "failed" ? `${line}${output.trim().replaceAll(/^/gm, "        ")}\n` : line;
}
