import { once } from "node:events";
import { constants } from "node:fs";
import { type FileHandle, lchown, lstat, mkdir, open } from "node:fs/promises";
import { type NetConnectOpts, type Socket, connect } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

// Missing from Node's constants. Opens a reference to a file of any type, not its content.
const O_PATH = 0o10000000;

/** Pause before a retry if the listener's queue is full, in ms. */
const RETRY_MS = 10;

/** An open file, which remains the same even if its path is replaced. */
export interface HeldFile extends AsyncDisposable {
  /** Replaces the whole content. */
  write(content: Uint8Array): Promise<void>;
}

/** A Unix socket. Replacing its path doesn't affect the open socket. */
export interface HeldSocket extends AsyncDisposable {
  /**
   * @param connectOnce Connects to a path; by default with Node's own sockets.
   * @throws {Error} If no program is listening; `signal.reason` if the signal is aborted.
   */
  connect(signal: AbortSignal, connectOnce?: ConnectOnce): Promise<Socket>;
}

/** @throws {Error} With the code `EAGAIN` if the listener's queue is full. */
type ConnectOnce = (path: string, signal: AbortSignal) => Socket | Promise<Socket>;

/**
 * Creates a file and its parent folders for a user. Doesn't follow links or overwrite files.
 * @param name Relative to `folder`.
 * @param owner Undefined for the server's own user.
 * @returns The open file, which the caller closes.
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
      // Truncate after writing, so that the file is never empty.
      await file.write(content, 0, undefined, 0);
      await file.truncate(content.length);
    },
    [Symbol.asyncDispose]: () => (closing ??= file.close()),
  };
}

/** @throws {Error} If the path isn't a socket. Doesn't follow links. */
export async function holdSocket(path: string): Promise<HeldSocket> {
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW);
  // Retries must stop on release: the number of a closed descriptor may already belong to another sandbox.
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
  throw new Error("The sandbox has no socket with this name.");
}

/** Retries while the listener's queue is full, because unlike TCP, connect(2) on a Unix socket doesn't wait. */
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

/** Connects a socket, which the caller owns. @throws {Error} If connecting fails; `signal.reason` if aborted. */
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
