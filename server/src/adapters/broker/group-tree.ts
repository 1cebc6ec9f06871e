import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { GROUP_FILES, type GroupTree } from "../../broker/control-groups.ts";

/** What all sandboxes can use together. */
export type TotalLimits = {
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly tasks: number;
};

/** A mounted hierarchy of cgroups(7): the folders of its first group, and of this process's group. */
type Hierarchy = { readonly first: string; readonly own: string };

/** By version. Everything else has 1024 or 100, so the server comes before all sandboxes together. */
const WEIGHTS = { 1: 256, 2: 25 };

const CONTROLLERS = ["memory", "pids", "cpu"] as const;

/** The names of trees: the process that made it, and a random part. */
const TREE = /^rbs-(\d+)-/;

/**
 * Makes the control groups that those of all sandboxes lie in. The broker removes them.
 * @param user The broker's user; undefined: this process's.
 * @throws {Error} If this process can't make control groups, with the reason. Nothing of them is left then.
 */
export async function makeGroupTree({ memoryBytes, tasks }: TotalLimits, user: number | undefined): Promise<GroupTree> {
  const { version, parents } = await findParents();
  const name = `rbs-${process.pid}-${randomBytes(4).toString("hex")}`;
  const [memory = "", pids = "", cpu = ""] = parents.map((parent) => join(parent, name));
  const folders = [...new Set([memory, pids, cpu])];
  const files = GROUP_FILES[version];
  try {
    new Set(parents).forEach(sweep);
    for (const folder of folders) mkdirSync(folder);
    if (version === 2) enableControllers(memory);
    write(memory, files.memory, memoryBytes);
    write(pids, "pids.max", tasks);
    write(cpu, files.weight, WEIGHTS[version]);
    // The user may make groups in them, but not change their limits.
    if (user !== undefined) for (const folder of folders) chownSync(folder, user, user);
    return { version, memory, pids, cpu };
  } catch (error) {
    for (const folder of folders) if (existsSync(folder)) rmdirSync(folder);
    throw error;
  }
}

/** Removes the trees of servers that were killed. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = TREE.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const tree = join(parent, name);
    const groups = readdirSync(tree, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const folder of [...groups.map((group) => join(tree, group.name)), tree]) removeIfEmpty(folder);
  }
}

/** A group can still have processes, which are ending. The next server then removes it. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["EBUSY", "ENOENT", "ENOTEMPTY"].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/** The groups to make others in, one for each controller. */
export async function findParents(): Promise<{ readonly version: 1 | 2; readonly parents: readonly string[] }> {
  const unified = findHierarchy("");
  if (unified !== undefined && hasControllers(unified.own)) {
    const parent = await findUnifiedParent(unified);
    return { version: 2, parents: CONTROLLERS.map(() => parent) };
  }
  const parents = CONTROLLERS.map((controller) => {
    const found = findHierarchy(controller);
    if (found === undefined) throw new Error(`this machine has no control groups for ${controller}`);
    return found.own;
  });
  return { version: 1, parents };
}

/**
 * In version 2, a group that limits others can't hold processes itself. In a container, or with `Delegate=yes` of systemd,
 * only the server's processes are in this process's group, and they move to one below it. Elsewhere other programs are in
 * it, too, such as a shell, and root makes a group beside all others.
 */
async function findUnifiedParent({ first, own }: Hierarchy): Promise<string> {
  const isHost = !existsSync(join(first, "cgroup.events"));
  if (isHost && !(await isDelegated(own))) return first;
  const server = join(own, "server");
  mkdirSync(server, { recursive: true });
  for (const pid of read(join(own, "cgroup.procs")).split("\n").filter(Boolean)) write(server, "cgroup.procs", pid);
  enableControllers(own);
  return own;
}

/** @param controller Empty: the hierarchy of version 2. @returns Undefined if it isn't mounted. */
function findHierarchy(controller: string): Hierarchy | undefined {
  const mounted = read("/proc/self/mountinfo").split("\n").map(toMount);
  const found = mounted.find(({ type, options }) =>
    controller === "" ? type === "cgroup2" : type === "cgroup" && options.includes(controller),
  );
  // `hierarchy:controllers:path`; version 2 names no controllers.
  const groups = read("/proc/self/cgroup")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , ...path] = groups.find(([, controllers]) => controllers?.split(",").includes(controller)) ?? [];
  if (found === undefined || path.length === 0) return undefined;
  // A container may see only its own part of the hierarchy, under the path that it has on the host.
  const below = relative(found.root, path.join(":"));
  return { first: found.folder, own: below.startsWith("..") ? found.folder : join(found.folder, below) };
}

/** A line of mountinfo: proc_pid_mountinfo(5). */
function toMount(line: string): { root: string; folder: string; type: string; options: readonly string[] } {
  const [own = "", source = ""] = line.split(" - ");
  const [, , , root = "", folder = ""] = own.split(" ");
  const [type = "", , options = ""] = source.split(" ");
  return { root, folder, type, options: options.split(",") };
}

function hasControllers(group: string): boolean {
  const available = read(join(group, "cgroup.controllers")).trim().split(" ");
  return CONTROLLERS.every((controller) => available.includes(controller));
}

function enableControllers(group: string): void {
  write(group, "cgroup.subtree_control", CONTROLLERS.map((controller) => `+${controller}`).join(" "));
}

/** Whether systemd leaves the groups below this one to its processes. */
async function isDelegated(group: string): Promise<boolean> {
  const { default: koffi } = await import("koffi");
  const getxattr = koffi.load("libc.so.6").func("long getxattr(str path, str name, void *value, size_t size)");
  return Number(getxattr(group, "user.delegate", null, 0)) > 0;
}

function read(file: string): string {
  return readFileSync(file, "latin1");
}

function write(group: string, file: string, value: string | number): void {
  writeFileSync(join(group, file), String(value));
}
