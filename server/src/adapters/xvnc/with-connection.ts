import { addAbortSignal } from "node:stream";
import type { Socket } from "node:net";
import type { SandboxSocket } from "../../ports/sandboxes.ts";

/**
 * Calls `work` with a new connection to a screen's program, then closes it. Pending reads report connection errors.
 * @throws {unknown} Any error that `work` throws; `signal.reason` if the signal is aborted.
 */
export async function withConnection<T>(
  target: Pick<SandboxSocket, "connect">,
  signal: AbortSignal,
  work: (socket: Socket) => Promise<T>,
): Promise<T> {
  const socket = addAbortSignal(signal, await target.connect(signal));
  socket.on("error", () => {});
  try {
    return await work(socket);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    socket.destroy();
  }
}
