import { Socket } from "node:net";
import type { SendHandle } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { exit, stderr } from "node:process";
import { type Answer, Broker } from "./broker.ts";
import type { InstalledProgram } from "./bubblewrap.ts";
import { ControlGroups } from "./limits/control-groups.ts";
import { readMessages, sendMessage } from "./frames.ts";
import { openDiskStorage } from "./folders/disk-images.ts";
import { bindMount, closeOnExec, mountMemory, remountData } from "./kernel/libc.ts";
import { ROOT, newMemoryStorage, prepareRoot, storeText } from "./folders/memory-folders.ts";
import {
  LISTENER,
  type Message,
  type Preparation,
  readNumber,
  readRequest,
  type Request,
  type SocketLabel,
} from "./requests.ts";
import { SandboxFolders, type Storage } from "./folders/sandbox-folders.ts";
import { DATA, findPrograms } from "./system-files.ts";
import { newWatchedBounds } from "./limits/watched-bounds.ts";

/** Descriptor of the channel for requests and replies. Sockets are sent over Node's own channel, one at a time. */
const CHANNEL_FD = 4;

closeOnExec(CHANNEL_FD + 1);
const channel = new Socket({ fd: CHANNEL_FD });
/** Minimum time between log lines about refused requests and failures. */
const LOG_EVERY_MS = 1000;

/** Time limit for cleaning up before the broker exits. */
const LEAVE_MS = 3500;

let loggedMs = Number.NEGATIVE_INFINITY;
let preparing: Promise<Broker> | undefined;

process.on("disconnect", leave);
// If the server has no free descriptor, Node may acknowledge a socket twice, which fails an assertion.
process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
  stderr.write(`The broker: ${error.stack ?? error.message}\n`);
  if (error.code !== "ERR_INTERNAL_ASSERTION") exit(1);
});
channel.on("error", leave).on("close", leave);
readMessages(channel, (message) => void reply(message));

/** Exits when the server exits, after removing control groups. The kernel cleans up the processes and folders. */
function leave(): void {
  if (preparing === undefined) return exit();
  setTimeout(exit, LEAVE_MS);
  void preparing.then((broker) => broker[Symbol.asyncDispose]()).finally(exit);
}

function say(message: Message): void {
  sendMessage(channel, message);
}

async function reply(message: unknown): Promise<void> {
  const re = readNumber(message);
  if (re === undefined) return logRefusal("a message without a number");
  try {
    const { value, sockets = {}, listener } = await answer(readRequest(message));
    // The server has exited, and `leave` is removing everything.
    if (!process.connected) return;
    for (const [name, socket] of Object.entries(sockets)) process.send?.({ re, name } satisfies SocketLabel, socket);
    if (listener !== undefined) sendListener(re, listener);
    say({ re, value, sockets: [...Object.keys(sockets), ...(listener === undefined ? [] : [LISTENER])] });
  } catch (error) {
    const { message: text, code } = error as NodeJS.ErrnoException;
    if (error instanceof TypeError) logRefusal(text);
    say({ re, error: { message: text, code } });
  }
}

/** Logs a refused request. The server never sends such requests, but another program may send any number of them. */
function logRefusal(what: string): void {
  log(`The broker refused a request that the server never sends: ${what}`);
}

function log(line: string): void {
  if (performance.now() - loggedMs < LOG_EVERY_MS) return;
  loggedMs = performance.now();
  stderr.write(`${line}\n`);
}

async function answer(request: Request): Promise<Answer> {
  if (request.ask !== "prepare") {
    if (preparing === undefined) throw new Error("The broker is not prepared.");
    return (await preparing).answer(request);
  }
  if (preparing !== undefined) throw new Error("The broker is already prepared.");
  preparing = prepare(request);
  await preparing;
  return {};
}

async function prepare({ programs, hasOwners, tasks, diskBytes, disk, groups }: Preparation): Promise<Broker> {
  // Open the disk first, because mounting the root may hide the disk's folder.
  const storage = disk === undefined ? newMemoryStorage(diskBytes) : openDiskStorage(disk, diskBytes);
  prepareRoot();
  await prepareFiles(Object.values(programs));
  await tryOut(storage);
  const folders = new SandboxFolders({ root: ROOT, hasOwners, storage });
  const bounds = groups === undefined ? newWatchedBounds(ROOT) : new ControlGroups(groups);
  return new Broker({
    folders,
    bounds,
    tasks,
    programs,
    onEnded: (ended, end) => say({ ended, ...end }),
    onFailure: (error) => log(`The broker could not read the sandboxes' usage: ${String(error)}`),
  });
}

/** Prepares the files that programs see outside of their sandbox's folder. */
async function prepareFiles(programs: readonly InstalledProgram[]): Promise<void> {
  hidePrograms(programs.flatMap(({ reads }) => reads));
  const texts = new Set(programs.flatMap(({ files = {} }) => Object.values(files)));
  await Promise.all([...texts].map(storeText));
}

/**
 * Hides the host's programs from this process, and therefore from sandboxes. Programs that are installed or upgraded
 * later aren't hidden.
 * @param needed Files and folders with programs that sandboxes use.
 */
function hidePrograms(needed: readonly string[]): void {
  for (const path of findPrograms(needed).paths) {
    if (lstatSync(path).isDirectory()) mountMemory("hidden", path, "size=4k,mode=755");
    else bindMount("/dev/null", path);
  }
  for (const path of DATA.filter((each) => existsSync(each))) {
    bindMount(path, path);
    remountData(path);
  }
}

/** Creates and removes a folder. @throws {Error} On failure, to alert the operator at startup. */
async function tryOut(storage: Storage): Promise<void> {
  const path = join(ROOT, "trial");
  await storage.make(path);
  await storage.remove(path);
}

/**
 * Sends a listening socket as Node's internal handle: a `Server` would accept connections in this process before the
 * server receives it, and a `Socket` would make the server start reading.
 */
function sendListener(re: number, listener: Socket): void {
  const { _handle: handle } = listener as unknown as { readonly _handle: SendHandle };
  process.send?.({ re, name: LISTENER } satisfies SocketLabel, handle, {}, () => void listener.destroy());
}
