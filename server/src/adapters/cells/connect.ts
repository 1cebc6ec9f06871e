import { once } from "node:events";
import { connect, type NetConnectOpts, type Socket } from "node:net";

/**
 * Resolves with a connected socket.
 * @throws {Error} When nothing listens; `signal.reason` when it is aborted before.
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

/** @throws {unknown} What `promise` rejects with; `signal.reason` when that is aborted before. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener("abort", leave);
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
