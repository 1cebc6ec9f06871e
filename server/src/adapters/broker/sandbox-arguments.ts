import { lstatSync, readlinkSync } from "node:fs";
import type { Program } from "../../ports/sandboxes.ts";

/** Where programs in a jail find their cell's folder. */
export const SANDBOX_HOME = "/home/browser";

const SHARED_MEMORY_BYTES = 2 ** 30;

/** All that a browser reads of the host's configuration; what is missing on a system is left out. */
const READABLE = [
  "/etc/fonts",
  "/etc/ssl/certs",
  "/etc/pki",
  "/etc/ca-certificates",
  "/etc/ld.so.cache",
  "/etc/alternatives",
  // Without it each start spends 400 ms on reading every font.
  "/var/cache/fontconfig",
];

/** Links into /usr on most systems, folders of their own on some. */
const SYSTEM = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].flatMap(toSystemArguments);

function toSystemArguments(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  return stats.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

/**
 * Bubblewrap's arguments for one program: namespaces of its own for everything, no network but a loopback of its own,
 * and of the host's files only what is named here.
 * @param folder The cell's folder on the host.
 */
export function toSandboxArguments(folder: string, program: Program): string[] {
  return [
    "--unshare-all",
    // The jail does not outlive the server, however that ends.
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
    // Shared memory counts as memory: a page can't fill the machine's with it.
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
    program.command,
    ...program.arguments,
  ];
}
