import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The compile cache of `npm start`, which makes each start faster. */
const COMPILED = fileURLToPath(new URL("../../../node_modules/.cache/compiled", import.meta.url));

/** A running program of the server. */
export type Script = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly output: { stdout: string; stderr: string };
  /** Resolves when the program has ended and all its output has arrived. */
  readonly ended: Promise<Ended>;
};

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type ScriptOptions = {
  readonly settings: Readonly<Record<string, string>>;
  /** Files that replace others for the program and its children: path → file. Needs root. */
  readonly replacedFiles?: Readonly<Record<string, string>>;
};

/** Starts a file of `server/src` without the test's own settings. It ends with the test's process. */
export function startScript(file: string, args: readonly string[], options: ScriptOptions): Script {
  const script = fileURLToPath(new URL(`../../src/${file}`, import.meta.url));
  const command = [
    "setpriv",
    "--pdeathsig",
    "KILL",
    "--",
    ...replaceFiles(options.replacedFiles),
    process.execPath,
    script,
  ];
  const { PATH = "", HOME = "" } = process.env;
  const [program = "", ...rest] = [...command, ...args];
  const child = spawn(program, rest, {
    env: { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, ...options.settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8");
    child[stream].on("data", (chunk: string) => (output[stream] += chunk));
  }
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, ...output }));
  return { child, pid: child.pid ?? 0, output, ended };
}

/** Runs a file of `server/src` until it ends. */
export function runScript(file: string, args: readonly string[], options: ScriptOptions): Promise<Ended> {
  return startScript(file, args, options).ended;
}

/** Each program replaces the previous one, so that the process keeps its id. */
function replaceFiles(disguises: Readonly<Record<string, string>> = {}): string[] {
  const pairs = Object.entries(disguises);
  if (pairs.length === 0) return [];
  const mounts = pairs.map((_, at) => `mount --bind "$${2 * at + 2}" "$${2 * at + 1}"`);
  const shell = [...mounts, `shift ${2 * pairs.length}`, 'exec "$@"'].join(" && ");
  return ["unshare", "--mount", "--", "/bin/sh", "-c", shell, "sh", ...pairs.flat()];
}
