import { MAX_FILES, MAX_TASKS } from "./bounds.ts";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { toFileArguments } from "./system-files.ts";

/** The home folder as seen by programs in a sandbox. */
export const SANDBOX_HOME = "/home/browser";

/** Folders in a sandbox's folder, which programs see as `SANDBOX_HOME`, /tmp and /dev/shm. */
export const FOLDERS = { home: "home", temporary: "tmp", shared: "shm" };

/** Each sandbox has its own loopback interface, so the ports can be fixed. */
export const DEVTOOLS_PORT = 9222;
export const PROXY_PORT = 3128;

/** Maximum number of connections to the proxy that wait to be accepted. */
export const PROXY_BACKLOG = 1024;

/** The descriptor of a program's listening socket. */
const LISTENER_FD = 3;

/** Returns descriptors for bubblewrap's information about the sandbox, its system call filter, and the shell's file. */
export function toOwnFds({ listensOn }: InstalledProgram): Readonly<Record<"info" | "filter" | "shell", number>> {
  const info = listensOn === undefined ? LISTENER_FD : LISTENER_FD + 1;
  return { info, filter: info + 1, shell: info + 2 };
}

/** A program that sandboxes can run. */
export type InstalledProgram = {
  /** The program's path or name, and its first arguments. */
  readonly command: readonly string[];
  /** Host files and folders that the program sees in addition to the system's libraries and data. */
  readonly reads: readonly string[];
  /** Contents of files that the broker creates for the program, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the program serves DevTools, uses the proxy, and creates namespaces for its own sandbox. */
  readonly isBrowser: boolean;
  /**
   * Whether the program, rather than bubblewrap, is the sandbox's first process. Such a program doesn't receive signals
   * from its own sandbox, and must reap orphans.
   */
  readonly isFirst: boolean;
  /** Path of a Unix socket in the sandbox's folder. The program inherits the listening socket as descriptor 3. */
  readonly listensOn?: string;
};

export type Run = {
  /** Arguments to append to the command. */
  readonly arguments: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
};

export type SandboxFolder = {
  /** The sandbox's folder on the host. */
  readonly path: string;
  /** The user that owns the folder; undefined: the broker's user. */
  readonly owner: number | undefined;
};

/** Returns the path of a text file that programs see. @param root Contains all sandboxes. Sandbox ids have no dots. */
export function toTextFile(root: string, text: string): string {
  return join(root, `.${createHash("sha256").update(text).digest("hex")}`);
}

/**
 * Returns bubblewrap's arguments for a program: its own namespaces, no network but loopback, and only the host files
 * named here. The arguments start a shell that reads a script from stdin, so sandboxes can be created in advance. The
 * shell starts from a descriptor, so the program can't find the shell and run a tenant's scripts with it.
 */
export function toBubblewrapArguments({ path }: SandboxFolder, program: InstalledProgram): string[] {
  const { info, filter, shell } = toOwnFds(program);
  return [
    ["--unshare-all"],
    // If the last parent outside of a process group ends while a process in the group is stopped, the kernel sends
    // SIGHUP to the whole group.
    ["--new-session"],
    ["--info-fd", String(info)],
    ["--seccomp", String(filter)],
    program.isFirst ? ["--as-pid-1"] : [],
    // Bubblewrap runs as root of a user namespace, and Chromium refuses to run as root.
    ["--uid", "1000"],
    ["--gid", "1000"],
    ["--cap-drop", "ALL"],
    ["--hostname", "browser"],
    toFileArguments(program.reads),
    Object.entries(program.files ?? {}).flatMap(([name, text]) => ["--ro-bind", toTextFile(dirname(path), text), name]),
    ["--proc", "/proc"],
    // A program with privileges in its own namespace could change the kernel's settings for that namespace.
    ["--ro-bind", "/proc/sys", "/proc/sys"],
    // The kernel's command line can contain secrets. Programs see an empty file instead.
    ["--dev-bind", "/dev/null", "/proc/cmdline"],
    ["--dev", "/dev"],
    // Prevents programs from opening /dev/zero: memory mapped from it doesn't belong to any process.
    ["--bind", "/dev/zero", "/dev/zero"],
    ["--bind", join(path, FOLDERS.shared), "/dev/shm"],
    ["--bind", join(path, FOLDERS.home), SANDBOX_HOME],
    ["--bind", join(path, FOLDERS.temporary), "/tmp"],
    // Bubblewrap's in-memory file systems have no size limit, so they become read-only once populated.
    ["--remount-ro", "/dev"],
    ["--remount-ro", "/"],
    ["--chdir", SANDBOX_HOME],
    ["--clearenv", "--", `/proc/self/fd/${shell}`],
  ].flat();
}

/** Limits per process. In some shells, -u limits processes and threads. */
const LIMITS = `ulimit -n ${MAX_FILES}; ulimit -p ${MAX_TASKS} 2>/dev/null || ulimit -u ${MAX_TASKS}\n`;

/** Returns the script that replaces the waiting shell with the program. A shell that gets no script exits. */
export function toScript(program: InstalledProgram, { arguments: given, environment }: Run): string {
  const close = `exec ${toOwnFds(program).shell}<&-\n`;
  const set = Object.entries(environment).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  return `${close}${LIMITS}${set.join("")}exec ${[...program.command, ...given].map(quote).join(" ")} </dev/null\n`;
}

/** Quotes text as a single shell word. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
