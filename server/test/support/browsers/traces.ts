import { readFileSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Process, commandLine, descendants, environment, listProcesses, mounts } from "../machine/processes.ts";
import { until } from "../until.ts";

/** The path of the sandboxes' folders in the broker's mount namespace. */
const BROKER_ROOT = "/tmp";

export type ProcessInfo = { readonly pid: number; readonly line: string };

/** The processes and folders of this machine's sandboxes. */
export type Traces = {
  /** Returns the processes of all sandboxes, or of one sandbox. */
  processes(id?: string): ProcessInfo[];
  /** Returns the ids of all sandboxes that have a folder. */
  folders(): string[];
  /** Returns this process's path to a sandbox's folder. */
  folder(id: string): string;
};

/** Waits until no sandbox has a process or a folder. */
export async function expectNothingLeft(traces: Traces): Promise<void> {
  const held = await until(
    () => ({ processes: traces.processes(), folders: traces.folders() }),
    ({ processes, folders }) => processes.length === 0 && folders.length === 0,
    5000,
  ).catch((error: unknown) => error);
  expect(held).toEqual({ processes: [], folders: [] });
}

/** Returns the session id of a server's broker; 0 if the server has no broker. */
export function findBrokerSession(server: number): number {
  const family = descendants(listProcesses(), server);
  return family.find((one) => one.pid === one.session && commandLine(one).startsWith("unshare "))?.session ?? 0;
}

/** Returns the PID of a server's broker; 0 if the server has no broker. */
export function findBroker(server: number): number {
  return findChild(listProcesses(), findBrokerSession(server))?.pid ?? 0;
}

/** @param session The broker's session, whose leader is the broker's parent; 0 if the broker has ended. */
export function tracesOfBroker(session: number): Traces {
  const folder = (id: string): string =>
    `/proc/${findChild(listProcesses(), session)?.pid ?? 0}/root${BROKER_ROOT}/${id}`;
  return {
    processes(id) {
      const all = descendants(listProcesses(), session);
      const broker = findChild(all, session);
      const found = id === undefined ? all : all.filter((one) => isIn(one, id, broker));
      // Chromium's own sandbox hides mounts from renderers, so renderers are found as descendants.
      const family = new Set([...found, ...found.flatMap(({ pid }) => descendants(all, pid))]);
      return [...family].filter((one) => one !== broker).map(toInfo);
    },
    // The names of the broker's own files start with a dot.
    folders: () => list(folder("")).filter((name) => !name.startsWith(".")),
    folder,
  };
}

/**
 * Bubblewrap itself sees all folders, but its command line contains the path of its sandbox's folder. All other
 * processes see only their own sandbox's folder, whose mount source is the sandbox's id.
 */
function isIn(one: Process, id: string, broker: Process | undefined): boolean {
  if (commandLine(one).includes(`${BROKER_ROOT}/${id}/home`)) return true;
  const isInside = mountNamespace(one) !== (broker && mountNamespace(broker));
  return isInside && mounts(one).includes(` tmpfs ${id} `);
}

/** With isolation `none`, finds the processes that use a sandbox's folder by owner, command line or environment. */
export function tracesAt(root: string): Traces {
  return {
    processes(id = "") {
      const folder = join(root, id);
      const owners = ownersAt(folder);
      return listProcesses()
        .filter(
          (one) => owners.has(ownerOf(one)) || [commandLine, environment].some((read) => read(one).includes(folder)),
        )
        .filter(({ pid }) => pid !== process.pid)
        .map(toInfo);
    },
    folders: () => list(root),
    folder: (id) => join(root, id),
  };
}

/** Finds the broker, the only child of the session's leader. @param session 0 if the session doesn't exist. */
function findChild(all: readonly Process[], session: number): Process | undefined {
  return all.find(({ parent }) => session > 0 && parent === session);
}

function toInfo(one: Process): ProcessInfo {
  return { pid: one.pid, line: commandLine(one) };
}

function mountNamespace({ pid }: Process): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/mnt`);
  } catch {
    return "";
  }
}

/** Returns the owners of a folder and of the sandbox folders in it, except for the test's own user. */
function ownersAt(folder: string): ReadonlySet<number> {
  const paths = [folder, ...list(folder).map((name) => join(folder, name))];
  const owners = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.uid);
  return new Set(owners.filter((uid) => uid !== undefined && uid !== process.getuid?.()) as number[]);
}

/** Returns the names of a folder's files; an empty list if the folder doesn't exist. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the uid of a process; NaN if the process has ended. */
function ownerOf({ pid }: Process): number {
  try {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(uid);
  } catch {
    return Number.NaN;
  }
}
