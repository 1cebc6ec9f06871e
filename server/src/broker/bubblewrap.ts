import { MAX_FILES, MAX_TASKS } from "./bounds.ts";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where programs in a sandbox find its folder. */
export const SANDBOX_HOME = "/home/browser";

/** Each sandbox has its own loopback interface, so the ports can be fixed. */
export const DEVTOOLS_PORT = 9222;
export const PROXY_PORT = 3128;

/** Connections to the proxy that wait to be accepted. */
export const PROXY_BACKLOG = 1024;

/** The descriptor of a program's listening socket, if it has one. */
const LISTENER_FD = 3;

/** @returns Where bubblewrap writes what it knows about the sandbox, and where it reads the filter for system calls. */
export function toOwnFds({ listensOn }: InstalledProgram): { readonly info: number; readonly filter: number } {
  const info = listensOn === undefined ? LISTENER_FD : LISTENER_FD + 1;
  return { info, filter: info + 1 };
}

const SHARED_MEMORY_BYTES = 2 ** 30;

/** The host's configuration that browsers read. Bubblewrap skips missing paths. */
const READABLE = [
  "/etc/fonts",
  "/etc/ssl/certs",
  "/etc/pki/tls/certs",
  "/etc/pki/ca-trust",
  "/etc/ca-certificates",
  "/etc/ld.so.cache",
  "/etc/alternatives",
  // Without this cache, each start spends 400 ms reading every font.
  "/var/cache/fontconfig",
];

/** The folder that all our code is in: of the repository, or of the compiled server. */
const OUR_CODE = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "../../.." : ".", import.meta.url));

/** Below /usr, but not of the system: what operators put there, such as scripts with passwords. Fonts are of use to browsers. */
const HIDDEN = ["/usr/local", "/usr/src", ...(OUR_CODE.startsWith("/usr/") ? [OUR_CODE] : [])].filter((path) =>
  existsSync(path),
);
const OWN_FONTS = "/usr/local/share/fonts";

/** Links into /usr on most systems, and separate folders on some. */
const SYSTEM_FOLDERS = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
const SYSTEM = SYSTEM_FOLDERS.flatMap(toSystemArguments);

function toSystemArguments(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** @returns The folder that lets programs in sandboxes read a path of the host; undefined if nothing does. */
export function findReadable(path: string): string | undefined {
  const [hidden, shown] = [HIDDEN, ["/usr", ...SYSTEM_FOLDERS, ...READABLE]];
  if (hidden.some((folder) => isBelow(path, folder)) && !isBelow(path, OWN_FONTS)) return undefined;
  return shown.find((folder) => isBelow(path, folder));
}

function isBelow(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

/** A program that sandboxes can run. */
export type InstalledProgram = {
  /** Its path or name, and its first arguments. */
  readonly command: readonly string[];
  /** Other folders of the host that it can read, in addition to the system's. */
  readonly reads: readonly string[];
  /** Whether it is the browser, which serves DevTools, uses the proxy, and makes namespaces for a sandbox of its own. */
  readonly isBrowser: boolean;
  /**
   * Whether it is the sandbox's first process; otherwise, that is one of bubblewrap's. A first process doesn't get signals
   * from its own sandbox, and nothing collects its children's orphans.
   */
  readonly isFirst: boolean;
  /** The path of a Unix socket in the sandbox's folder, which the program gets as its descriptor 3, listening already. */
  readonly listensOn?: string;
};

/** What one run of a program gets, besides its command. */
export type Run = {
  /** They follow the command's own. */
  readonly arguments: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Place = {
  /** The sandbox's folder on the host. */
  readonly path: string;
  /** Its user; undefined: the broker's. */
  readonly owner: number | undefined;
};

/**
 * Bubblewrap's arguments for one program: its own namespaces, no network except its own loopback, and only the host's files
 * that are named here. In them, a shell reads from its standard input what to do, so a sandbox can be made before that is known.
 */
export function toBubblewrapArguments({ path, owner }: Place, program: InstalledProgram): string[] {
  const { info, filter } = toOwnFds(program);
  return [
    "--unshare-all",
    // The kernel hangs up on a whole group of processes if one of them is stopped and the last parent outside of it ends.
    "--new-session",
    "--info-fd",
    String(info),
    "--seccomp",
    String(filter),
    ...(program.isFirst ? ["--as-pid-1"] : []),
    // The broker of a server that is not root is root in a user namespace, and Chromium refuses to run as root.
    ...(owner === undefined ? ["--uid", "1000", "--gid", "1000"] : []),
    "--cap-drop",
    "ALL",
    "--hostname",
    "browser",
    "--ro-bind",
    "/usr",
    "/usr",
    ...HIDDEN.flatMap((each) => ["--tmpfs", each]),
    "--ro-bind-try",
    OWN_FONTS,
    OWN_FONTS,
    ...SYSTEM,
    ...[...READABLE, ...program.reads].flatMap((each) => ["--ro-bind-try", each, each]),
    "--proc",
    "/proc",
    // The kernel's command line can contain secrets. This device reads as an empty file.
    "--dev-bind",
    "/dev/null",
    "/proc/cmdline",
    "--dev",
    "/dev",
    // Shared memory uses the machine's memory: without a limit, a page could use all of it.
    "--size",
    String(SHARED_MEMORY_BYTES),
    "--tmpfs",
    "/dev/shm",
    "--bind",
    `${path}/home`,
    SANDBOX_HOME,
    "--bind",
    `${path}/tmp`,
    "/tmp",
    // Bubblewrap makes these in memory, without a limit. This comes after everything that it makes in them.
    ...[...HIDDEN, "/dev", "/"].flatMap((each) => ["--remount-ro", each]),
    "--chdir",
    SANDBOX_HOME,
    "--clearenv",
    "--",
    "/bin/sh",
  ];
}

/** Limits of each process. Some shells write -u for the processes and threads of the user. */
const LIMITS = `ulimit -n ${MAX_FILES}; ulimit -p ${MAX_TASKS} 2>/dev/null || ulimit -u ${MAX_TASKS}\n`;

/** What the shell has to do: it becomes the program. Without it, the shell ends by itself. */
export function toScript({ command }: InstalledProgram, { arguments: given, environment }: Run): string {
  const set = Object.entries(environment).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  return `${LIMITS}${set.join("")}exec ${[...command, ...given].map(quote).join(" ")} </dev/null\n`;
}

/** One word of the shell, whatever the text contains. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
