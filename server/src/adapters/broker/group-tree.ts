import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { GROUP_FILES, type GroupTree, isWritable, limitMemory } from "../../broker/limits/control-groups.ts";

/** Combined limits for all sandboxes. */
export type TotalLimits = {
  readonly memoryBytes: number;
  /** Processes and threads. The broker ends sandboxes at this limit; the kernel's own limit is slightly higher. */
  readonly tasks: number;
};

/** A mounted hierarchy of cgroups(7): the folders of its root group, and of this process's group. */
type Hierarchy = { readonly first: string; readonly own: string };

/** The groups that contain the trees, one for each controller. In cgroup v2, all three are the same group. */
type Parents = {
  readonly version: 1 | 2;
  readonly parents: readonly string[];
  /** In version 2: whether the group contains only the server's processes, in a subgroup. */
  readonly isOwn: boolean;
};

/** Total CPU weight of all sandboxes, by cgroup version. The defaults are 1024 and 100, so the server has priority. */
const WEIGHTS = { 1: 256, 2: 25 };

/** Leaves room for other sandboxes' processes until the broker has ended the largest sandbox. */
const TASKS_MARGIN = 1.05;

const CONTROLLERS = ["memory", "pids", "cpu"] as const;

/** In version 2: the delegated group's subgroup for the server's processes. */
const SERVER_GROUP = "rbs-server";

/** Maximum number of attempts to move all processes to the subgroup. More processes may start during a move. */
const MOVE_TRIES = 10;

/** Files that the owner of a delegated group can write to. */
const FILES_OF_OWNERS = ["cgroup.procs", "cgroup.subtree_control"];

/** Names of trees: the id of the process that created the tree, and a random suffix. */
const TREE = /^rbs-(\d+)-/;

/**
 * Creates the parents of all sandboxes' control groups. The broker removes them.
 * @param user The broker's user; undefined for the server's own user.
 * @throws {Error} With the reason, if the server can't create control groups. Groups already created are removed.
 */
export async function makeGroupTree({ memoryBytes, tasks }: TotalLimits, user: number | undefined): Promise<GroupTree> {
  const { version, parents, isOwn } = await findParents();
  const name = `rbs-${process.pid}-${randomBytes(4).toString("hex")}`;
  const [memory = "", pids = "", cpu = ""] = parents.map((parent) => join(parent, name));
  const folders = [...new Set([memory, pids, cpu])];
  const files = GROUP_FILES[version];
  try {
    new Set(parents).forEach(sweep);
    for (const folder of folders) mkdirSync(folder);
    if (version === 2) enableControllers(memory);
    await limitMemory({ version, memory }, memoryBytes);
    write(pids, "pids.max", Math.ceil(tasks * TASKS_MARGIN));
    write(cpu, files.weight, WEIGHTS[version]);
    if (user !== undefined) giveTo(user, folders, { version, isOwn });
    return { version, memory, pids, cpu };
  } catch (error) {
    for (const folder of folders) if (existsSync(folder)) rmdirSync(folder);
    throw error;
  }
}

/** Lets the broker's user create groups in the folders and move processes into them, but not change folder limits. */
function giveTo(user: number, folders: readonly string[], { version, isOwn }: Omit<Parents, "parents">): void {
  for (const folder of folders) chownSync(folder, user, user);
  if (version === 1) return;
  // Moving a process requires write access to `cgroup.procs` in the closest common ancestor of both groups.
  if (!isOwn) throw new Error("without CAP_SYS_ADMIN, the server needs a delegated group");
  for (const folder of folders) chownSync(join(dirname(folder), "cgroup.procs"), user, user);
}

/** Removes trees of killed servers. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = TREE.exec(name) ?? [];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const tree = join(parent, name);
    const groups = readdirSync(tree, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const folder of [...groups.map((group) => join(tree, group.name)), tree]) removeIfEmpty(folder);
  }
}

/** Skips groups whose processes are still exiting: the next server to start removes them. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["EBUSY", "ENOENT", "ENOTEMPTY"].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/**
 * Finds the control groups in which group trees are created. In version 2, also prepares the group; safe to repeat.
 * @throws {Error} If a controller is missing, or the server may not prepare the group.
 */
export async function findParents(): Promise<Parents> {
  const unified = findHierarchy("");
  const parent = unified && (await findUnifiedParent(unified));
  const available = parent === undefined ? [] : read(join(parent.group, "cgroup.controllers")).trim().split(" ");
  const missing = CONTROLLERS.filter((controller) => !available.includes(controller));
  if (parent !== undefined && missing.length === 0) {
    if (parent.isOwn) moveProcessesDown(parent.group);
    enableControllers(parent.group);
    return { version: 2, parents: CONTROLLERS.map(() => parent.group), isOwn: parent.isOwn };
  }
  const parents = CONTROLLERS.flatMap((controller) => findHierarchy(controller)?.own ?? []);
  if (parents.length === CONTROLLERS.length) return { version: 1, parents, isOwn: false };
  throw new Error(`this machine has no control groups for ${missing.join(", ")}`);
}

/**
 * In version 2, a group that limits other groups can't contain processes. In a container, or with systemd's
 * `Delegate=yes`, the server's group contains only the server's processes, which can move to a subgroup. Otherwise, the
 * group also contains other programs, such as a shell, so a server that runs as root uses the root group instead.
 */
async function findUnifiedParent({ first, own }: Hierarchy): Promise<{ group: string; isOwn: boolean }> {
  // An earlier server may have moved the shell that started both servers, and this process with it.
  const group = basename(own) === SERVER_GROUP ? dirname(own) : own;
  const isHost = !existsSync(join(first, "cgroup.events"));
  return isHost && !(await isDelegated(group)) ? { group: first, isOwn: false } : { group, isOwn: true };
}

function moveProcessesDown(group: string): void {
  const server = join(group, SERVER_GROUP);
  mkdirSync(server, { recursive: true });
  for (let tries = 0; tries < MOVE_TRIES; tries += 1) {
    const pids = read(join(group, "cgroup.procs")).split("\n").filter(Boolean);
    if (pids.length === 0) return;
    for (const pid of pids) move(pid, server);
  }
}

function move(pid: string, group: string): void {
  try {
    write(group, "cgroup.procs", pid);
  } catch (error) {
    // ESRCH: the process has exited.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** @param controller Empty for version 2. @returns Undefined if the controller's hierarchy isn't mounted. */
function findHierarchy(controller: string): Hierarchy | undefined {
  const mounted = read("/proc/self/mountinfo").split("\n").map(toMount);
  const found = mounted.find(({ type, options }) =>
    controller === "" ? type === "cgroup2" : type === "cgroup" && options.includes(controller),
  );
  // `hierarchy:controllers:path`; in version 2, the controllers are empty.
  const groups = read("/proc/self/cgroup")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , ...path] = groups.find(([, controllers]) => controllers?.split(",").includes(controller)) ?? [];
  if (found === undefined || path.length === 0) return undefined;
  // A container may see only its part of the hierarchy, with its path on the host.
  const below = relative(found.root, path.join(":"));
  return { first: found.folder, own: below.startsWith("..") ? found.folder : join(found.folder, below) };
}

/** Parses a line of mountinfo; see proc_pid_mountinfo(5). */
function toMount(line: string): { root: string; folder: string; type: string; options: readonly string[] } {
  const [own = "", source = ""] = line.split(" - ");
  const [, , , root = "", folder = ""] = own.split(" ");
  const [type = "", , options = ""] = source.split(" ");
  return { root, folder, type, options: options.split(",") };
}

function enableControllers(group: string): void {
  write(group, "cgroup.subtree_control", CONTROLLERS.map((controller) => `+${controller}`).join(" "));
}

/** Whether systemd has delegated a group. A user's systemd may not mark the group, but the user can write to it. */
async function isDelegated(group: string): Promise<boolean> {
  if (process.geteuid?.() !== 0 && FILES_OF_OWNERS.every((file) => isWritable(join(group, file)))) return true;
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
