import { dirname, join } from "node:path";
import { readText, toLimit } from "./read-text.ts";

/** A limit of control groups: what its file is called in version 1, and in version 2. */
export type CgroupLimit = { readonly controller: string; readonly file: string; readonly file2: string };

export const MEMORY: CgroupLimit = { controller: "memory", file: "memory.limit_in_bytes", file2: "memory.max" };
export const TASKS: CgroupLimit = { controller: "pids", file: "pids.max", file2: "pids.max" };

/**
 * The lowest limit of the group that the server is in and of all around it.
 * @param root Where the file system begins.
 * @returns Infinity when there is none.
 */
export function readCgroupLimit(root: string, { controller, file, file2 }: CgroupLimit): number {
  const groups = readText(join(root, "proc/self/cgroup")) ?? "";
  const limits = groups.split("\n").flatMap((line) => {
    // cgroups(7): `hierarchy:controllers:path`; version 2 is hierarchy 0 and names no controllers.
    const [hierarchy, controllers = "", ...rest] = line.split(":");
    const path = rest.join(":");
    if (hierarchy === "0") return readUpwards(join(root, "sys/fs/cgroup"), path, file2);
    if (!controllers.split(",").includes(controller)) return [];
    return readUpwards(join(root, "sys/fs/cgroup", controller), path, file);
  });
  return Math.min(Infinity, ...limits);
}

/** In a container the path may be the host's, and only its top is there to be seen. */
function readUpwards(mount: string, path: string, file: string): number[] {
  const limit = toLimit(readText(join(mount, path, file)));
  return path === "/" || path === "" || path === "." ? [limit] : [limit, ...readUpwards(mount, dirname(path), file)];
}
