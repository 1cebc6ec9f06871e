import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A control group limit, with the name of its file in cgroup versions 1 and 2. */
type CgroupLimit = { readonly controller: string; readonly file: string; readonly file2: string };

export const MEMORY: CgroupLimit = { controller: "memory", file: "memory.limit_in_bytes", file2: "memory.max" };
export const TASKS: CgroupLimit = { controller: "pids", file: "pids.max", file2: "pids.max" };

/**
 * Returns the lowest limit of the server's control group and its parents, or Infinity if there is no limit.
 * @param root The root of the file system.
 */
export function readCgroupLimit(root: string, { controller, file, file2 }: CgroupLimit): number {
  const groups = readText(join(root, "proc/self/cgroup")) ?? "";
  const limits = groups.split("\n").flatMap((line) => {
    // cgroups(7): `hierarchy:controllers:path`. In version 2, the hierarchy is 0 and no controllers are listed.
    const [hierarchy, controllers = "", ...rest] = line.split(":");
    const path = rest.join(":");
    if (hierarchy === "0") return readUpwards(join(root, "sys/fs/cgroup"), path, file2);
    if (!controllers.split(",").includes(controller)) return [];
    return readUpwards(join(root, "sys/fs/cgroup", controller), path, file);
  });
  return Math.min(Infinity, ...limits);
}

/** In a container, the path may be as seen on the host, while only the root group is visible. */
function readUpwards(mount: string, path: string, file: string): number[] {
  const limit = toLimit(readText(join(mount, path, file)));
  return path === "/" || path === "" || path === "." ? [limit] : [limit, ...readUpwards(mount, dirname(path), file)];
}

/** Reads a kernel file; undefined if it doesn't exist or can't be read. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** Parses a number; Infinity for everything else, such as `max`. */
export function toLimit(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text.trim()) ? Number(text) : Infinity;
}
