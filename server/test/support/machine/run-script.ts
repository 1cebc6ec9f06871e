import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The compile cache of `npm start`. */
const COMPILED = fileURLToPath(new URL("../../../../node_modules/.cache/compiled", import.meta.url));

/** A running server program. */
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
  /** Settings only for the program itself, not for the commands that start it. */
  readonly ownSettings?: Readonly<Record<string, string>>;
  /** Files that replace other files for the program and its children: path → file. Requires root. */
  readonly replacedFiles?: Readonly<Record<string, string>>;
  /** The path at which the program finds the repository. Default: the repository's own path. */
  readonly repository?: string;
  /** The uid that starts the program. Default: `SERVER_USER`, or the test's own uid. */
  readonly user?: number;
  /** The only capabilities that the program can have. */
  readonly capabilities?: readonly string[];
  /** The limit on open files and sockets. Default: the test's own limit. */
  readonly maxFiles?: number;
  /** Whether control groups are hidden from the program, as in most containers. Requires root. */
  readonly hasNoGroups?: boolean;
  /** A command that starts the program: a wrapper program and its first arguments. */
  readonly wrapper?: readonly string[];
  /** Runs the program in a user namespace of 65,536 users, whose root has this uid on the host. Requires root. */
  readonly firstUser?: number;
};

const HIDE_GROUPS = 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"';

/**
 * Maps users as Kubernetes does for pods with `hostUsers: false`: the maps are written by the child, which still has
 * all capabilities.
 */
const WITH_OWN_USERS = `
  my ($first, @command) = @ARGV;
  pipe(my $reader, my $writer);
  if (fork() == 0) {
    close($writer);
    readline($reader);
    for my $map ("uid_map", "gid_map") {
      open(my $file, ">", "/proc/@{[getppid()]}/$map") or exit(1);
      print $file "0 $first 65536";
      close($file) or exit(1);
    }
    exit(0);
  }
  close($reader);
  syscall(${process.arch === "arm64" ? 97 : 272}, 0x10000000) == 0 or die("unshare: $!");
  close($writer);
  wait();
  $? == 0 or die("The users were not mapped.");
  ($(, $)) = (0, "0 0");
  ($<, $>) = (0, 0);
  exec(@command);
`;

/** The uid under which servers start. Set this to run tests that require root against an ordinary user's server. */
export const SERVER_USER = toUser(process.env["SERVER_USER"]);

function toUser(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** The repository. */
export const REPOSITORY = fileURLToPath(new URL("../../../..", import.meta.url));

/** Starts a file from `server/src` without the test's own settings. The program exits when the test's process does. */
export function startScript(file: string, args: readonly string[], options: ScriptOptions): Script {
  const { repository = REPOSITORY, user = SERVER_USER, capabilities } = options;
  const move = (path: string): string => join(repository, relative(REPOSITORY, path));
  const identity = user === undefined ? [] : ["--reuid", String(user), "--regid", String(user), "--clear-groups"];
  const limits = capabilities === undefined ? [] : ["--bounding-set", ["-all", ...capabilities.map(add)].join(",")];
  const command = [
    ...(options.firstUser === undefined ? [] : ["perl", "-e", WITH_OWN_USERS, String(options.firstUser)]),
    ...(options.hasNoGroups === true ? ["unshare", "--mount", "--", "/bin/sh", "-c", HIDE_GROUPS, "sh"] : []),
    ...(options.wrapper ?? []),
    ...(options.maxFiles === undefined ? [] : ["prlimit", `--nofile=${options.maxFiles}`, "--"]),
    ...replaceFiles(options.replacedFiles),
    "setpriv",
    "--pdeathsig",
    "KILL",
    // Like `npm start`.
    "--no-new-privs",
    ...identity,
    ...limits,
    "--",
    "env",
    ...Object.entries(options.ownSettings ?? {}).map(([name, value]) => `${name}=${value}`),
    move(process.execPath),
    join(repository, "server/src", repository === REPOSITORY ? toProgram(file) : file),
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

/** `npm test` runs the compiled server, as packages do, because compiled code starts with half the processor time. */
function toProgram(file: string): string {
  const isCompiled = process.env["RBS_COMPILED"] !== undefined && file.endsWith(".ts");
  return isCompiled ? join("../dist", basename(file, ".ts").concat(".js")) : file;
}

function add(capability: string): string {
  return `+${capability}`;
}

/** Runs a file from `server/src` until it exits. */
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
