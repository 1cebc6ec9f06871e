import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { orAborted } from "../../concurrency/abortable.ts";
import type { DevtoolsTarget } from "../../ports/browser-client.ts";
import type { Clock } from "../../ports/clock.ts";
import { relayDevtools } from "../relay/devtools-relay.ts";
import type { GatewayLimits } from "../relay/limits.ts";
import { readWebSocketHeaders, toAcceptedHead } from "./handshake-headers.ts";
import type { Upstream } from "./upstream.ts";

/** Connects clients to a browser's DevTools: forwards the upgrade to the browser, and relays bytes after its 101. */
export function newDevtoolsUpstream(
  target: DevtoolsTarget,
  limits: GatewayLimits,
  clock: Pick<Clock, "after">,
): Upstream {
  return {
    target,
    name: "browser",
    hasCapacity: (others) => others < limits.maxClients,
    async connect(request, signal) {
      const { socket, head } = await openDevtools(target, request, limits.maxResponseHeadBytes, signal);
      return (client) => {
        client.write(head, "latin1");
        const relay = relayDevtools(client, socket, limits, clock);
        void relay.left.then(target.join(relay));
        return relay;
      };
    },
  };
}

/**
 * Forwards a client's upgrade to the browser. Closes the socket before rejecting.
 * @returns The socket, paused after the browser's 101 response head, and the response head to send to the client.
 * @throws {Error} If the browser can't be reached or doesn't return 101; `signal.reason` if the signal is aborted.
 */
async function openDevtools(
  target: DevtoolsTarget,
  request: IncomingMessage,
  maxHeadBytes: number,
  signal: AbortSignal,
): Promise<{ readonly socket: Socket; readonly head: string }> {
  const socket = await target.connect(signal);
  // An error also closes the socket. Without a listener, the event would crash the process.
  socket.on("error", () => {});
  try {
    signal.throwIfAborted();
    socket.setNoDelay(true);
    socket.write(toUpgradeRequest(request, target.devtoolsPath), "latin1");
    const { status, head, rest } = await orAborted(readResponseHead(socket, maxHeadBytes), signal);
    if (status !== 101) throw new Error(`The browser responded to the upgrade with ${status}.`);
    if (rest.length > 0) socket.unshift(rest);
    return { socket, head: toAcceptedHead(head.split("\r\n")) };
  } catch (cause) {
    socket.destroy();
    throw cause;
  }
}

/**
 * Builds the browser's upgrade request. Chromium refuses unknown origins, and hosts other than IP addresses and
 * localhost.
 */
function toUpgradeRequest(request: IncomingMessage, devtoolsPath: string): string {
  const copied = readWebSocketHeaders(request).map(([name, value]) => `${name}: ${value}`);
  return [
    `GET ${devtoolsPath} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Connection: Upgrade",
    "Upgrade: websocket",
    ...copied,
    "\r\n",
  ].join("\r\n");
}

/** The head of an HTTP response, including its empty line, and the bytes that arrived after the head. */
type ResponseHead = { readonly status: number; readonly head: string; readonly rest: Buffer };

/**
 * Reads the head of a response, and leaves the socket paused.
 * @throws {Error} If the connection ends first, or the head is longer than `maxBytes` or isn't HTTP/1.1.
 */
function readResponseHead(socket: Socket, maxBytes: number): Promise<ResponseHead> {
  const { promise, resolve, reject } = Promise.withResolvers<ResponseHead>();
  let bytes: Buffer = Buffer.alloc(0);

  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end === -1 && bytes.length <= maxBytes) return;
    const head = bytes.toString("latin1", 0, end + 4);
    const status = /^HTTP\/1\.1 (?<status>\d{3}) /.exec(head)?.groups?.["status"];
    if (end === -1 || end > maxBytes || status === undefined) {
      fail(new Error("The browser's response to the upgrade isn't HTTP/1.1."));
    } else {
      stop();
      resolve({ status: Number(status), head, rest: bytes.subarray(end + 4) });
    }
  };
  const onEnd = (): void => fail(new Error("The browser closed the connection before it responded to the upgrade."));

  function fail(reason: unknown): void {
    stop();
    reject(reason);
  }

  // Call this before the promise settles, because another chunk could arrive first.
  function stop(): void {
    socket.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", fail);
    socket.pause();
  }

  socket.on("data", onData).once("end", onEnd).once("close", onEnd).once("error", fail);
  return promise;
}
