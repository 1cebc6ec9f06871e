import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { readAnswerHead } from "./answer-head.ts";
import type { GatewayTarget } from "./target.ts";
import { toUpgradeRequest } from "./upgrade-request.ts";

/** A browser that has agreed to speak WebSocket: its socket, paused at the first byte after its answer's head. */
export type Devtools = { readonly socket: Socket; readonly answerHead: Buffer };

/**
 * Repeats a client's upgrade to the browser. Whatever was opened is closed before a rejection.
 * @param signal Ends the wait; then rejects with `signal.reason`.
 * @throws {Error} When the browser cannot be reached or does not answer 101.
 */
export async function openDevtools(
  target: GatewayTarget,
  request: IncomingMessage,
  maxAnswerHeadBytes: number,
  signal: AbortSignal,
): Promise<Devtools> {
  const socket = await target.connect(signal);
  // Failures are seen as closing; without a listener they would end the process.
  socket.on("error", () => {});
  try {
    signal.throwIfAborted();
    socket.setNoDelay(true);
    socket.write(toUpgradeRequest(request, target.devtoolsPath), "latin1");
    const answer = await readAnswerHead(socket, maxAnswerHeadBytes, signal);
    if (answer.status !== 101) throw new Error(`The browser answered the upgrade with ${answer.status}.`);
    if (answer.rest.length > 0) socket.unshift(answer.rest);
    return { socket, answerHead: answer.head };
  } catch (cause) {
    socket.destroy();
    throw cause;
  }
}
