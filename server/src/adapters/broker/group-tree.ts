import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { GROUP_FILES, type GroupTree, isWritable, limitMemory } from "../../broker/limits/control-groups.ts";

/** Limits of all sandboxes together. */
export type TotalLimits = {
  readonly memoryBytes: number;
  /** Processes and threads. The broker ends sandboxes at this limit, and the kernel refuses more slightly above it. */
  readonly tasks: number;
};

/** A mounted hierarchy of cgroups(7): the folders of its root group, and of this process's group. */
type Hierarchy = { readonly first: string; readonly own: string };

/** The groups that a tree is made in, one for each controller. In version 2, they are the same group. */
type Parents = {
  readonly version: 1 | 2;
  readonly parents: readonly string[];
  /** In version 2: whether the group contains only the server's processes, in a subgroup. */
  readonly isOwn: boolean;
};

/** Weights by version. The default is 1024 or 100, so the server has priority over all sandboxes together. */
const WEIGHTS = { 1: 256, 2: 25 };

/** Leaves processes for other sandboxes until the broker has ended the largest one. */
const TASKS_MARGIN = 1.05;

const CONTROLLERS = ["memory", "pids", "cpu"] as const;

/** In version 2: the delegated group's subgroup for the server's processes. */
const SERVER_GROUP = "rbs-server";

/** How often the server tries to move processes there, because others may start during a move. */
const MOVE_TRIES = 10;

/** Files that the owner of a delegated group can write to. */
const FILES_OF_OWNERS = ["cgroup.procs", "cgroup.subtree_control"];

/** Names of trees: the id of the process that made it, and a random part. */
const TREE = /^rbs-(\d+)-/;

/**
 * Makes the parents of all sandboxes' control groups. The broker removes them.
 * @param user The broker's user; undefined for this process's.
 * @throws {Error} With the reason, if this process can't make control groups. Removes what it has made.
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

/** Lets the broker's user make groups in the folders and move processes there, but not change the folders' limits. */
function giveTo(user: number, folders: readonly string[], { version, isOwn }: Omit<Parents, "parents">): void {
  for (const folder of folders) chownSync(folder, user, user);
  if (version === 1) return;
  // Moving a process requires write access to this file of the closest common ancestor of both groups.
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

/** Ignores groups with processes that are still ending. The next server removes them. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["EBUSY", "ENOENT", "ENOTEMPTY"].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/**
 * Finds the groups to make trees in. In version 2, it also prepares the group; repeating that has no effect.
 * @throws {Error} If a controller is missing, or this process may not prepare the group.
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
 * In version 2, a group that limits others can't contain processes. In a container, or with systemd's `Delegate=yes`,
 * this process's group contains only the server's processes, which can move to a subgroup. Otherwise, it also contains
 * other programs, such as a shell, and root uses the root group instead.
 */
async function findUnifiedParent({ first, own }: Hierarchy): Promise<{ group: string; isOwn: boolean }> {
  // An earlier server in this group may have moved this process, with the shell that started both.
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
    // ESRCH: the process has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** @param controller Empty for the hierarchy of version 2. @returns Undefined if it isn't mounted. */
function findHierarchy(controller: string): Hierarchy | undefined {
  const mounted = read("/proc/self/mountinfo").split("\n").map(toMount);
  const found = mounted.find(({ type, options }) =>
    controller === "" ? type === "cgroup2" : type === "cgroup" && options.includes(controller),
  );
  // `hierarchy:controllers:path`, without controllers in version 2.
  const groups = read("/proc/self/cgroup")
    .split("\n")
    .map((line) => line.split(":"));
  const [, , ...path] = groups.find(([, controllers]) => controllers?.split(",").includes(controller)) ?? [];
  if (found === undefined || path.length === 0) return undefined;
  // A container may see only its part of the hierarchy, with its path on the host.
  const below = relative(found.root, path.join(":"));
  return { first: found.folder, own: below.startsWith("..") ? found.folder : join(found.folder, below) };
}

/** Parses a line of mountinfo: proc_pid_mountinfo(5). */
function toMount(line: string): { root: string; folder: string; type: string; options: readonly string[] } {
  const [own = "", source = ""] = line.split(" - ");
  const [, , , root = "", folder = ""] = own.split(" ");
  const [type = "", , options = ""] = source.split(" ");
  return { root, folder, type, options: options.split(",") };
}

function enableControllers(group: string): void {
  write(group, "cgroup.subtree_control", CONTROLLERS.map((controller) => `+${controller}`).join(" "));
}

/** Whether systemd has delegated a group. A user's systemd may not mark it, but then the user can write to it. */
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
