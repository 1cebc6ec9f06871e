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

/**
 * The broker's process. Requests come and replies go through descriptor 4. Sockets go through Node's own channel, which
 * passes descriptors, one at a time. It ends with the server.
 */
const CHANNEL_FD = 4;

closeOnExec(CHANNEL_FD + 1);
const channel = new Socket({ fd: CHANNEL_FD });
/** Refused requests and failures are logged at most this often. */
const LOG_EVERY_MS = 1000;

/** How long the end of the broker may take. */
const LEAVE_MS = 3500;

let loggedMs = Number.NEGATIVE_INFINITY;
let preparing: Promise<Broker> | undefined;

process.on("disconnect", leave);
// A server without a free descriptor can make Node acknowledge a socket twice, and the second time fails an assertion.
process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
  stderr.write(`The broker: ${error.stack ?? error.message}\n`);
  if (error.code !== "ERR_INTERNAL_ASSERTION") exit(1);
});
channel.on("error", leave).on("close", leave);
readMessages(channel, (message) => void reply(message));

/**
 * Ends with the server, but first removes what would stay: the kernel ends processes and folders, but not control
 * groups.
 */
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
    // The server has ended, and everything is being removed.
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

/** Our server sends no such requests: something else may be sending in its place, and as much as it likes. */
function logRefusal(what: string): void {
  log(`The broker refused a request that the server never makes: ${what}`);
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
  if (preparing !== undefined) throw new Error("The broker is prepared already.");
  preparing = prepare(request);
  await preparing;
  return {};
}

async function prepare({ programs, hasOwners, tasks, diskBytes, disk, groups }: Preparation): Promise<Broker> {
  // The root hides what was in its place, which may be where the disk's folder lies.
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
    onFailure: (error) => log(`The broker could not see what sandboxes use: ${String(error)}`),
  });
}

/** Prepares what programs see besides their sandbox's own folder. */
async function prepareFiles(programs: readonly InstalledProgram[]): Promise<void> {
  hidePrograms(programs.flatMap(({ reads }) => reads));
  const texts = new Set(programs.flatMap(({ files = {} }) => Object.values(files)));
  await Promise.all([...texts].map(storeText));
}

/**
 * Keeps sandboxes from programs of the host that they have no use for. They inherit what this process sees. It doesn't
 * include packages that are installed or upgraded later: a new file is not hidden.
 * @param needed Files and folders with programs for sandboxes.
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

/** @throws {Error} If folders can't be made: the operator learns it at the start, and not from users. */
async function tryOut(storage: Storage): Promise<void> {
  const path = join(ROOT, "trial");
  await storage.make(path);
  await storage.remove(path);
}

/**
 * A listening socket is handed over as the handle that Node keeps in it. As a `Server` it would take connections here
 * until the server has it, and as a `Socket` it would be read from when it arrives.
 */
function sendListener(re: number, listener: Socket): void {
  const { _handle: handle } = listener as unknown as { readonly _handle: SendHandle };
  process.send?.({ re, name: LISTENER } satisfies SocketLabel, handle, {}, () => void listener.destroy());
}
