import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { whyMissing } from "../toolchains/why-missing.ts";
import { CHECKS, type Check } from "./checks.ts";

export type Verdict = {
  readonly check: Check;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly ms: number;
  /** What its command said, or what is missing where it was skipped. */
  readonly output: string;
};

/** Each check is a process that keeps a core busy; more than this at once only makes all of them late. */
const AT_ONCE = 2;

/**
 * Runs every check, some at once, and tells of each as it ends.
 * @param root The workspace.
 * @param tell Called once a check, in the order they end.
 * @returns The verdicts, in the order of the checks.
 */
export async function runChecks(
  root: string,
  tell: (verdict: Verdict) => void,
  checks: readonly Check[] = CHECKS,
): Promise<readonly Verdict[]> {
  const verdicts = new Map<Check, Verdict>();
  const waiting = [...checks];
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const verdict = await runCheck(root, check);
      verdicts.set(check, verdict);
      tell(verdict);
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

/** One line, and below it what a check said that failed, or that is telling. */
export function describeVerdict({ check, outcome, ms, output }: Verdict): string {
  const why = outcome === "skipped" ? output : `${(ms / 1000).toFixed(1)} s`;
  const line = `${WORDS[outcome]} ${check.name} (${why})\n`;
  const isShown = outcome === "failed" || (outcome === "passed" && check.isTelling === true);
  return isShown ? `${line}${output.trim().replaceAll(/^/gm, "        ")}\n` : line;
}
