import { readFileSync } from "node:fs";
import { readDescriptors } from "../support/resources.ts";
import { commandLine } from "../support/processes.ts";
import { tracesAt } from "../support/traces.ts";
import type { Machine } from "./machine.ts";
import { type Violation, toViolations } from "./violations.ts";

/** The state of sockets that listen (include/net/tcp_states.h in Linux). */
const LISTENING = "0A";

/** What a server still holds for browsers. */
export type Held = {
  readonly server: string;
  readonly processes: readonly string[];
  readonly folders: readonly string[];
  readonly sockets: readonly string[];
};

/**
 * Reads what servers hold for browsers when there are none: processes, folders, and sockets other than those to the database and the
 * one on which the server listens.
 */
export function readHeld(machines: readonly Machine[], databasePorts: ReadonlySet<number>): Held[] {
  const table = readSockets();
  return machines.flatMap((machine) => {
    const { name, server } = machine;
    const sockets = socketsOf(machine, table)
      .filter(({ isListening, remote }) => isListening || !databasePorts.has(remote))
      .map(({ local, remote }) => `${local} → ${remote}`);
    const processes = server()
      .processes()
      .flatMap((one) => commandLine(one).slice(0, 120) || []);
    const folders = tracesAt(server().home.sandboxesDir).folders();
    return sockets.length + processes.length + folders.length > 0
      ? [{ server: name, processes, folders, sockets }]
      : [];
  });
}

export function checkHeld(held: readonly Held[]): Violation[] {
  return toViolations("5", "Processes, folders or sockets are left", held);
}

/** How many browsers each worker has: each browser listens on a port. */
export function countResidents(workers: readonly Machine[]): number[] {
  const table = readSockets();
  return workers.map((worker) => socketsOf(worker, table).filter(({ isListening }) => isListening).length);
}

/** The sockets of a server's process, without the one on which it listens. */
function socketsOf({ pid, url }: Machine, table: ReadonlyMap<string, Socket>): Socket[] {
  return readDescriptors(pid())
    .flatMap((target) => table.get(/^socket:\[(\d+)\]/.exec(target)?.[1] ?? "") ?? [])
    .filter(({ isListening, local }) => !isListening || local !== Number(url.port));
}

type Socket = { readonly local: number; readonly remote: number; readonly isListening: boolean };

/** All TCP sockets of this machine by their inodes: proc_pid_net(5). */
function readSockets(): Map<string, Socket> {
  const lines = ["tcp", "tcp6"].flatMap((file) => readFileSync(`/proc/net/${file}`, "latin1").split("\n").slice(1));
  return new Map(
    lines.flatMap((line) => {
      const [, local = "", remote = "", state, , , , , , inode] = line.trim().split(/\s+/);
      if (inode === undefined) return [];
      const port = (address: string): number => Number.parseInt(address.split(":")[1] ?? "", 16);
      return [[inode, { local: port(local), remote: port(remote), isListening: state === LISTENING }] as const];
    }),
  );
}
