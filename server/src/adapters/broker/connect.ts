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
