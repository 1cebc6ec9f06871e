import { readFileSync, readlinkSync } from "node:fs";
import { readDescriptors } from "../../support/browsers/resources.ts";
import { commandLine } from "../../support/machine/processes.ts";
import { tracesAt } from "../../support/browsers/traces.ts";
import type { Machine } from "../machine.ts";
import { type Violation, toViolations } from "./violations.ts";

/**
 * The state of listening TCP sockets, and the flags of listening Unix sockets (Linux's net/tcp_states.h and
 * linux/net.h).
 */
const [LISTENING, ACCEPTING] = ["0A", "00010000"];
/** The prefix of fake browsers' socket names. */
const FAKE_SOCKETS = "@rbs-fake-";

/** Resources that a server still holds for browsers. */
export type Held = {
  readonly server: string;
  readonly processes: readonly string[];
  readonly folders: readonly string[];
  readonly sockets: readonly string[];
};

/**
 * Reads the resources that servers hold although no browser is open: processes, folders and sockets. Excludes the
 * listening socket and connections to the database.
 */
export function readHeld(machines: readonly Machine[], databasePort: number): Held[] {
  const read = newSocketReader();
  return machines.flatMap((machine) => {
    const { name, server } = machine;
    const sockets = read(machine)
      .filter(({ isListening, remotePort }) => isListening || remotePort !== databasePort)
      .map(({ what }) => what);
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
  return toViolations("5", "Processes, folders or sockets were not released", held);
}

/** Counts each worker's browsers. Each browser listens on a socket. */
export function countBrowsers(workers: readonly Machine[]): number[] {
  const read = newSocketReader();
  return workers.map((worker) => read(worker).filter(({ isListening }) => isListening).length);
}

type Socket = { readonly what: string; readonly remotePort?: number; readonly isListening: boolean };

/**
 * Returns a function that reads a server's sockets, except the server's own listening socket. Servers in the same
 * network share its socket tables.
 */
function newSocketReader(): (machine: Machine) => Socket[] {
  const tables = new Map<string, Map<string, Socket>>();
  return ({ pid, url }) => {
    const network = readNetwork(pid());
    if (network === undefined) return [];
    const table = tables.get(network) ?? readSockets(pid());
    tables.set(network, table);
    return readDescriptors(pid())
      .flatMap((target) => table.get(/^socket:\[(\d+)\]/.exec(target)?.[1] ?? "") ?? [])
      .filter(({ what }) => what !== `${url.port} → 0`);
  };
}

/** Returns a process's network namespace; undefined if the process has ended. */
function readNetwork(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}

/** Returns all TCP sockets that a process can see, and fake browsers' sockets, by inode: proc_pid_net(5). */
function readSockets(pid: number): Map<string, Socket> {
  const read = (file: string): string[][] =>
    readTable(`/proc/${pid}/net/${file}`).map((line) => line.trim().split(/\s+/));
  const port = (address: string): number => Number.parseInt(address.split(":")[1] ?? "", 16);
  const tcp = ["tcp", "tcp6"].flatMap(read).flatMap(([, local = "", remote = "", state, , , , , , inode]) => {
    if (inode === undefined) return [];
    const what = `${port(local)} → ${port(remote)}`;
    return [[inode, { what, remotePort: port(remote), isListening: state === LISTENING }] as const];
  });
  const unix = read("unix").flatMap(([, , , flags, , , inode, path]) =>
    inode !== undefined && path?.startsWith(FAKE_SOCKETS) === true
      ? [[inode, { what: path, isListening: flags === ACCEPTING }] as const]
      : [],
  );
  return new Map<string, Socket>([...tcp, ...unix]);
}

/** Returns the lines of a kernel table; an empty list if the process has ended. */
function readTable(file: string): string[] {
  try {
    return readFileSync(file, "latin1").split("\n").slice(1);
  } catch {
    return [];
  }
}
