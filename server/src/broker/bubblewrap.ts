import { MAX_FILES, MAX_TASKS } from "./bounds.ts";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { toFileArguments } from "./system-files.ts";

/** Where programs in a sandbox find its folder. */
export const SANDBOX_HOME = "/home/browser";

/** Names in a sandbox's folder: its programs find them as `SANDBOX_HOME`, /tmp and /dev/shm. */
export const FOLDERS = { home: "home", temporary: "tmp", shared: "shm" };

/** Each sandbox has its own loopback interface, so the ports can be fixed. */
export const DEVTOOLS_PORT = 9222;
export const PROXY_PORT = 3128;

/** Connections to the proxy that wait to be accepted. */
export const PROXY_BACKLOG = 1024;

/** The descriptor of a program's listening socket, if it has one. */
const LISTENER_FD = 3;

/** Descriptors of bubblewrap. */
type OwnFds = {
  /** Where it writes what it knows about the sandbox. */
  readonly info: number;
  /** Where it reads the filter for system calls. */
  readonly filter: number;
  /** The file of the shell that waits. */
  readonly shell: number;
};

export function toOwnFds({ listensOn }: InstalledProgram): OwnFds {
  const info = listensOn === undefined ? LISTENER_FD : LISTENER_FD + 1;
  return { info, filter: info + 1, shell: info + 2 };
}

/** A program that sandboxes can run. */
export type InstalledProgram = {
  /** Its path or name, and its first arguments. */
  readonly command: readonly string[];
  /** Files and folders of the host that it sees besides the system's libraries and data, such as its own programs. */
  readonly reads: readonly string[];
  /** Files that the broker makes for it: their texts by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /**
   * Whether it is the browser, which serves DevTools, uses the proxy, and makes namespaces for a sandbox of its own.
   */
  readonly isBrowser: boolean;
  /**
   * Whether it is the sandbox's first process; otherwise, that is one of bubblewrap's. A first process doesn't get
   * signals from its own sandbox, and nothing collects its children's orphans.
   */
  readonly isFirst: boolean;
  /**
   * The path of a Unix socket in the sandbox's folder, which the program gets as its descriptor 3, listening already.
   */
  readonly listensOn?: string;
};

/** What one run of a program gets, besides its command. */
export type Run = {
  /** They follow the command's own. */
  readonly arguments: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
};

export type SandboxFolder = {
  /** The sandbox's folder on the host. */
  readonly path: string;
  /** Its user; undefined: the broker's. */
  readonly owner: number | undefined;
};

/** Where the broker stores a text for programs. @param root The folder of all sandboxes: their ids have no dots. */
export function toTextFile(root: string, text: string): string {
  return join(root, `.${createHash("sha256").update(text).digest("hex")}`);
}

/**
 * Bubblewrap's arguments for one program: its own namespaces, no network except its own loopback, and only the host's
 * files that are named here. In them, a shell reads from its standard input what to do, so a sandbox can be made before
 * that is known. It is started from a descriptor: the program doesn't see the file of the shell, which could run a
 * tenant's scripts.
 */
export function toBubblewrapArguments({ path }: SandboxFolder, program: InstalledProgram): string[] {
  const { info, filter, shell } = toOwnFds(program);
  return [
    "--unshare-all",
    // The kernel hangs up on a whole group of processes if one of them is stopped and the last parent outside of it
    // ends.
    "--new-session",
    "--info-fd",
    String(info),
    "--seccomp",
    String(filter),
    ...(program.isFirst ? ["--as-pid-1"] : []),
    // Bubblewrap runs as the root of a user namespace, and Chromium refuses to run as root.
    "--uid",
    "1000",
    "--gid",
    "1000",
    "--cap-drop",
    "ALL",
    "--hostname",
    "browser",
    ...toFileArguments(program.reads),
    ...Object.entries(program.files ?? {}).flatMap(([name, text]) => [
      "--ro-bind",
      toTextFile(dirname(path), text),
      name,
    ]),
    "--proc",
    "/proc",
    // With rights in a namespace of its own, a program could change the kernel's settings for it.
    "--ro-bind",
    "/proc/sys",
    "/proc/sys",
    // The kernel's command line can contain secrets. This device reads as an empty file.
    "--dev-bind",
    "/dev/null",
    "/proc/cmdline",
    "--dev",
    "/dev",
    // No program can open it then: memory that it maps from there belongs to no process.
    "--bind",
    "/dev/zero",
    "/dev/zero",
    "--bind",
    join(path, FOLDERS.shared),
    "/dev/shm",
    "--bind",
    join(path, FOLDERS.home),
    SANDBOX_HOME,
    "--bind",
    join(path, FOLDERS.temporary),
    "/tmp",
    // Bubblewrap makes these in memory, without a limit. This comes after everything that it makes in them.
    ...["/dev", "/"].flatMap((each) => ["--remount-ro", each]),
    "--chdir",
    SANDBOX_HOME,
    "--clearenv",
    "--",
    `/proc/self/fd/${shell}`,
  ];
}

/** Limits of each process. Some shells write -u for the processes and threads of the user. */
const LIMITS = `ulimit -n ${MAX_FILES}; ulimit -p ${MAX_TASKS} 2>/dev/null || ulimit -u ${MAX_TASKS}\n`;

/** What the shell has to do: it becomes the program. Without it, the shell ends by itself. */
export function toScript(program: InstalledProgram, { arguments: given, environment }: Run): string {
  const close = `exec ${toOwnFds(program).shell}<&-\n`;
  const set = Object.entries(environment).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  return `${close}${LIMITS}${set.join("")}exec ${[...program.command, ...given].map(quote).join(" ")} </dev/null\n`;
}

/** One word of the shell, whatever the text contains. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
