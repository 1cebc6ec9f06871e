import { once } from "node:events";
import { type NetConnectOpts, type Socket, connect } from "node:net";

/** Connects a socket, which the caller owns. @throws {Error} `signal.reason` if the signal is aborted. */
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
