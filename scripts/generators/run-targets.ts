import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type Toolchain, whyMissing } from "../setup/toolchains.ts";
import { listFiles } from "./write-or-check.ts";

/** Files that a command generates from other files. All paths are relative to the workspace. */
export type Target = {
  readonly name: string;
  /** Runs in the workspace's root, with node_modules/.bin first on the PATH. */
  readonly command: readonly [string, ...string[]];
  /** The toolchain that the command requires. */
  readonly needs?: Toolchain;
  /** Files and folders on which the outputs depend. Tests are ignored. */
  readonly inputs: readonly string[];
  /** Files and folders that the command writes. */
  readonly outputs: readonly string[];
  /** Whether a file in `outputs` is generated. Default: all are. */
  readonly owns?: (path: string) => boolean;
};

/**
 * Builds stale targets in order, and stops at the first failure. Skips targets that this machine can't build.
 * @param root The workspace.
 * @param say Called with progress messages, some of which are only part of a line.
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

/** Returns a hash of the paths and contents of a target's inputs and outputs. @param root The workspace. */
function stampOf(target: Target, root: string): string {
  const { command, inputs, outputs, owns = () => true } = target;
  const hash = createHash("sha256").update(JSON.stringify(command));
  const read = (path: string): void => {
    const bytes = readFileSync(join(root, path));
    hash.update(`\0${path}\0${bytes.length}\0`).update(bytes);
  };
  const filesOf = (paths: readonly string[]): string[] => paths.flatMap((path) => filesAt(path, root));
  for (const path of filesOf(inputs)) if (!/\.(test|fixtures)\.ts$/.test(path)) read(path);
  filesOf(outputs).filter(owns).forEach(read);
  return hash.digest("hex");
}

/** Whether a target's inputs and outputs are unchanged since it was last built on this machine. */
function isFresh(target: Target, root: string): boolean {
  try {
    return readFileSync(stampFile(target, root), "utf8") === stampOf(target, root);
  } catch {
    // The target was never built on this machine, or an input is missing.
    return false;
  }
}

/** Records that a target is up to date. */
function keepStamp(target: Target, root: string): void {
  const file = stampFile(target, root);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stampOf(target, root));
}

function stampFile({ name }: Target, root: string): string {
  return join(root, "node_modules/.cache/generate", name.replaceAll(" ", "-"));
}

/** @throws {Error} If the path doesn't exist: a hash of only some of the inputs would be meaningless. */
function filesAt(path: string, root: string): string[] {
  return statSync(join(root, path)).isDirectory() ? listFiles(path, root).toSorted() : [path];
}
