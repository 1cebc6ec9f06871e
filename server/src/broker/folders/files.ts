import { once } from "node:events";
import { constants } from "node:fs";
import { type FileHandle, lchown, lstat, mkdir, open } from "node:fs/promises";
import { type NetConnectOpts, type Socket, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

// Missing from Node's constants: opens a file of any type as a reference, without reading it.
const O_PATH = 0o10000000;

/** Wait after a connection that found the listener's queue full, in ms. */
const RETRY_MS = 10;

/** An open file. It stays the same file even if a program replaces its path. */
export interface HeldFile extends AsyncDisposable {
  /** Replaces the whole content. */
  write(content: Uint8Array): Promise<void>;
}

/** A Unix socket. It stays the same socket even if a program replaces its path. */
export interface HeldSocket extends AsyncDisposable {
  /**
   * @param connectOnce Connects to a path; by default with Node's own sockets.
   * @throws {Error} If no program is listening; `signal.reason` if the signal is aborted.
   */
  connect(signal: AbortSignal, connectOnce?: ConnectOnce): Promise<Socket>;
}

/** @throws {Error} With the code `EAGAIN` when the listener's queue is full. */
type ConnectOnce = (path: string, signal: AbortSignal) => Socket | Promise<Socket>;

/**
 * Creates a file, and the folders above it, for one user. Doesn't follow links or overwrite files.
 * @param name Relative to `folder`.
 * @param owner Undefined: the server's own user.
 * @returns The open file; the caller closes it.
 */
export async function createFile(folder: string, name: string, owner: number | undefined): Promise<FileHandle> {
  let path = folder;
  for (const parent of name.split("/").slice(0, -1)) {
    path = join(path, parent);
    await makeFolder(path, owner);
  }
  const file = await open(join(folder, name), "wx", 0o600);
  try {
    if (owner !== undefined) await file.chown(owner, owner);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function makeFolder(path: string, owner: number | undefined): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((await lstat(path)).isDirectory()) return;
    throw error;
  }
  if (owner !== undefined) await lchown(path, owner, owner);
}

export function holdFile(file: FileHandle): HeldFile {
  let closing: Promise<void> | undefined;
  return {
    async write(content) {
      // In this order, the file is never empty while its content is replaced.
      await file.write(content, 0, undefined, 0);
      await file.truncate(content.length);
    },
    [Symbol.asyncDispose]: () => (closing ??= file.close()),
  };
}

/** @throws {Error} If the path doesn't lead to a socket; links are not followed. */
export async function holdSocket(path: string): Promise<HeldSocket> {
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW);
  // A closed descriptor's number may already be another sandbox's, so a retry must not use it.
  const release = new AbortController();
  let closing: Promise<void> | undefined;
  const held = {
    connect: (signal: AbortSignal, connectOnce: ConnectOnce = connectToPath) =>
      connectWithRetry(`/proc/self/fd/${handle.fd}`, AbortSignal.any([signal, release.signal]), connectOnce),
    [Symbol.asyncDispose]() {
      release.abort(new Error("The sandbox's socket has been released."));
      return (closing ??= handle.close());
    },
  };
  if ((await handle.stat()).isSocket()) return held;
  await held[Symbol.asyncDispose]();
  throw new Error("The sandbox has no socket of this name.");
}

/** While the listener's queue is full, a TCP connection would wait, but one to a Unix socket is refused: connect(2). */
async function connectWithRetry(path: string, signal: AbortSignal, connectOnce: ConnectOnce): Promise<Socket> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await connectOnce(path, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    await wait(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

const connectToPath: ConnectOnce = (path, signal) => connectTo({ path }, signal);

/**
 * Resolves with a connected socket, which the caller owns.
 * @throws {Error} If no program is listening; `signal.reason` if the signal is aborted.
 */
export async function connectTo(target: NetConnectOpts, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect(target);
  try {
    await once(socket, "connect", { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}
