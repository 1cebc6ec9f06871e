import { lstatSync, readlinkSync } from "node:fs";

/** Where programs in a sandbox find its folder. */
export const SANDBOX_HOME = "/home/browser";

/** Each sandbox has its own loopback interface, so the ports can be fixed. */
export const DEVTOOLS_PORT = 9222;
export const PROXY_PORT = 3128;

/** Sockets in the sandbox's folder: the server connects to the first and listens on the second. */
export const DEVTOOLS_SOCKET = "devtools.sock";
export const PROXY_SOCKET = "egress.sock";

/** What socat logs when each of the two forwarders has started to listen. */
export const FORWARDERS_READY: readonly RegExp[] = [DEVTOOLS_SOCKET, `:${PROXY_PORT}`].map(
  (address) => new RegExp(` N listening on .*${address}`),
);

/** Bytes that socat moves at a time. The default of 8 KiB slows down large messages. */
const SOCAT_BUFFER = 131_072;

const SHARED_MEMORY_BYTES = 2 ** 30;

/** The host's configuration that browsers read. Bubblewrap skips missing paths. */
const READABLE = [
  "/etc/fonts",
  "/etc/ssl/certs",
  "/etc/pki",
  "/etc/ca-certificates",
  "/etc/ld.so.cache",
  "/etc/alternatives",
  // Without this cache, each start spends 400 ms reading every font.
  "/var/cache/fontconfig",
];

/** Links into /usr on most systems, and separate folders on some. */
const SYSTEM = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap(toSystemArguments);

function toSystemArguments(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/** A program to run in a sandbox. It gets only the environment given here. */
export type Program = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Other folders of the host that the program can read, in addition to the system's. */
  readonly reads: readonly string[];
  /** Whether it is the browser, which gets the forwarders for DevTools and the proxy. */
  readonly isBrowser: boolean;
};

/**
 * Bubblewrap's arguments for one program: its own namespaces, no network except its own loopback, and only the host's files
 * that are named here.
 * @param folder The sandbox's folder on the host.
 */
export function toBubblewrapArguments(folder: string, program: Program): string[] {
  const command = [program.command, ...program.arguments];
  return [
    "--unshare-all",
    // The sandbox ends with the server, even if the server is killed.
    "--die-with-parent",
    "--hostname",
    "browser",
    "--ro-bind",
    "/usr",
    "/usr",
    ...SYSTEM,
    ...[...READABLE, ...program.reads].flatMap((path) => ["--ro-bind-try", path, path]),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    // Shared memory uses the machine's memory: without a limit, a page could use all of it.
    "--size",
    String(SHARED_MEMORY_BYTES),
    "--tmpfs",
    "/dev/shm",
    "--bind",
    `${folder}/home`,
    SANDBOX_HOME,
    "--bind",
    `${folder}/tmp`,
    "/tmp",
    "--chdir",
    SANDBOX_HOME,
    "--clearenv",
    ...Object.entries(program.environment).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...(program.isBrowser ? withForwarders(command) : command),
  ];
}

/**
 * Runs a command and two forwarders, which connect the sockets in the folder to ports on the sandbox's loopback interface.
 */
function withForwarders(command: readonly string[]): string[] {
  const socat = `socat -d -d -b${SOCAT_BUFFER}`;
  const devtools = `${socat} UNIX-LISTEN:${DEVTOOLS_SOCKET},fork,backlog=256 TCP4:127.0.0.1:${DEVTOOLS_PORT},nodelay`;
  const proxy = `${socat} TCP4-LISTEN:${PROXY_PORT},bind=127.0.0.1,fork,backlog=1024 UNIX-CONNECT:${PROXY_SOCKET}`;
  return ["/bin/sh", "-c", `${devtools} & ${proxy} & exec "$@"`, "sh", ...command];
}
