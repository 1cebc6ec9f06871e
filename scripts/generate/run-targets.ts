import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { whyMissing } from "../toolchains/why-missing.ts";
import { isFresh, keepStamp } from "./stamp.ts";
import type { Target } from "./target.ts";

/**
 * Makes stale targets in order, and stops at the first failure. Skips targets that this machine can't make.
 * @param root The workspace.
 * @param say Called with lines, or parts of lines, that report the progress.
 * @returns Whether all targets are up to date.
 */
export function runTargets(targets: readonly Target[], root: string, say: (text: string) => void): boolean {
  const width = Math.max(...targets.map(({ name }) => name.length));
  const path = [join(root, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  let isWhole = true;
  for (const target of targets) {
    say(`${target.name.padEnd(width)}  `);
    if (isFresh(target, root)) {
      say("up to date\n");
      continue;
    }
    const why = target.needs && whyMissing(target.needs, root);
    if (why !== undefined) {
      say(`is stale, and can't be made here: ${why}\n`);
      isWhole = false;
      continue;
    }
    say("… ");
    const startedMs = performance.now();
    const [program, ...args] = target.command;
    const { status, error, stdout, stderr } = spawnSync(program, args, {
      cwd: root,
      env: { ...process.env, PATH: path },
      encoding: "utf8",
    });
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    if (status !== 0) {
      say(`failed (${seconds} s)\n${error?.message ?? `${stderr}${stdout}`}\n`);
      return false;
    }
    keepStamp(target, root);
    say(`made (${seconds} s)\n`);
  }
  return isWhole;
}
