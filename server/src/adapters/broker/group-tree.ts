import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { GROUP_FILES, type GroupTree, isWritable, limitMemory } from "../../broker/limits/control-groups.ts";

/** What all sandboxes can use together. */
export type TotalLimits = {
  readonly memoryBytes: number;
  /** Processes and threads. The kernel refuses more than a little above, and the broker ends sandboxes before. */
  readonly tasks: number;
};

/** A mounted hierarchy of cgroups(7): the folders of its first group, and of this process's group. */
type Hierarchy = { readonly first: string; readonly own: string };

/** The groups that a tree is made in, one for each controller. With version 2, they are one and the same. */
type Parents = {
  readonly version: 1 | 2;
  readonly parents: readonly string[];
  /** In version 2: whether the group has only the server's processes, in a group below it. */
  readonly isOwn: boolean;
};

/** By version. Everything else has 1024 or 100, so the server comes before all sandboxes together. */
const WEIGHTS = { 1: 256, 2: 25 };

/** The broker ends the largest sandbox when there are too many processes. Until then, the other sandboxes need some. */
const TASKS_MARGIN = 1.05;

const CONTROLLERS = ["memory", "pids", "cpu"] as const;

/** In version 2: the group below the delegated one that has the server's processes. */
const SERVER_GROUP = "rbs-server";

/** How often the server moves processes there, because others may start during a move. */
const MOVE_TRIES = 10;

/** What the owner of a delegated group can write to. */
const FILES_OF_OWNERS = ["cgroup.procs", "cgroup.subtree_control"];

/** The names of trees: the process that made it, and a random part. */
const TREE = /^rbs-(\d+)-/;

/**
 * Makes the control groups that contain the groups of all sandboxes. The broker removes them.
 * @param user The broker's user; undefined: this process's.
 * @throws {Error} If this process can't make control groups, with the reason. Nothing of them is left then.
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

/**
 * Lets the broker's user make groups in the folders, and move processes into them, but not change the folders' limits.
 */
function giveTo(user: number, folders: readonly string[], { version, isOwn }: Omit<Parents, "parents">): void {
  for (const folder of folders) chownSync(folder, user, user);
  if (version === 1) return;
  // To move a process, the user must be able to write to this file of the lowest group that both groups are below.
  if (!isOwn) throw new Error("without CAP_SYS_ADMIN, the server needs a delegated group");
  for (const folder of folders) chownSync(join(dirname(folder), "cgroup.procs"), user, user);
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

/**
 * Finds the groups to make others in. With version 2, it also prepares the group, which has no effect the second time.
 * @throws {Error} If there are no such groups for all controllers, or this process may not prepare the group.
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
 * In version 2, a group that limits others can't have processes itself. In a container, or with `Delegate=yes` of
 * systemd, only the server's processes are in this process's group, so it can be used if they move to one below it.
 * Elsewhere other programs are also in it, such as a shell, and root makes a group beside all others.
 */
async function findUnifiedParent({
  first,
  own,
}: Hierarchy): Promise<{ readonly group: string; readonly isOwn: boolean }> {
  // An earlier server of the same group may have moved this process down, with the shell that started both.
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
    // It has ended.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
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

function enableControllers(group: string): void {
  write(group, "cgroup.subtree_control", CONTROLLERS.map((controller) => `+${controller}`).join(" "));
}

/**
 * Whether systemd leaves the groups below this one to its processes. The systemd of an ordinary user doesn't always
 * mark such a group, but that user can write only to groups of its own.
 */
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
