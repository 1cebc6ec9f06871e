import { type ClientRequest, type IncomingMessage, request as askHttp } from "node:http";
import { request as askHttps } from "node:https";
import type { Socket } from "node:net";
import type { WorkerTarget } from "../../ports/browser-client.ts";
import type { Clock } from "../../ports/clock.ts";
import { toTlsOptions } from "../../ports/cluster/cluster-certificates.ts";
import { relayDevtools } from "../relay/devtools-relay.ts";
import type { GatewayLimits } from "../relay/limits.ts";
import { type RenderedRefusal, sendRefusal } from "../upgrade/refusal.ts";
import { VIA } from "../upgrade/route.ts";
import { readHeaders, readWebSocketHeaders, toAcceptedHead } from "./handshake-headers.ts";
import type { Upstream } from "./upstream.ts";

/** Headers that a worker's refusal passes on to the client. */
const PASSED = ["Content-Type", "Retry-After", "Sec-WebSocket-Version", "Upgrade", "X-Request-Id"];

/** Close reason sent when this server stops. */
const RELAY_ENDED = "connection closed: shutdown";

/**
 * Connects clients to a worker's gateway, which checks and answers the upgrade, and limits each browser's clients.
 * Relays DevTools and desktop frames in the same way.
 */
export function newWorkerUpstream(worker: WorkerTarget, limits: GatewayLimits, clock: Pick<Clock, "after">): Upstream {
  return {
    target: worker,
    name: "worker",
    hasCapacity: () => true,
    async connect(request, signal) {
      if (!worker.isAlive) throw new Error(`The worker ${worker.id} isn't reporting.`);
      await worker.verify(signal);
      const answer = await ask(worker, request, limits.maxResponseHeadBytes, signal);
      return (client) => {
        if (answer.is === "refused") {
          sendRefusal(client, answer.refusal, clock, limits.closeGraceMs);
          return undefined;
        }
        const { socket, head } = answer;
        socket.setNoDelay(true);
        socket.setKeepAlive(true, limits.keepAliveIdleMs, limits.keepAliveIntervalMs, limits.keepAliveProbes);
        client.write(head, "latin1");
        // A worker sends the reason before closing, so don't wait for a reason after it has dropped the connection.
        const relay = relayDevtools(client, socket, { ...limits, endNoticeMs: 0 }, clock);
        // `end` is called only when this server stops. The browser stays open.
        return { ...relay, end: (code) => relay.end(code, RELAY_ENDED) };
      };
    },
  };
}

type Answer =
  | { readonly is: "accepted"; readonly socket: Socket; readonly head: string }
  | { readonly is: "refused"; readonly refusal: RenderedRefusal };

/**
 * Forwards a client's upgrade to a worker.
 * @returns The socket, paused after the head of the worker's 101 response, and the head for the client; or the refusal.
 * @throws {Error} If the worker can't be reached or sends another response; `signal.reason` if the signal is aborted.
 */
async function ask(
  { url, keys }: WorkerTarget,
  request: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Answer> {
  const asked = (url.protocol === "https:" ? askHttps : askHttp)(url, {
    ...toTlsOptions(url, keys),
    path: request.url ?? "/",
    headers: toHeaders(request),
    agent: false,
    maxHeaderSize: maxBytes,
    signal,
  });
  try {
    return await readAnswer(asked, maxBytes);
  } catch (cause) {
    asked.destroy();
    throw signal.aborted ? signal.reason : cause;
  }
}

/** Returns the headers that the worker checks, as the client sent them. */
function toHeaders(request: IncomingMessage): string[] {
  const { host = "", origin } = request.headers;
  const own = ["Host", host, "Connection", "Upgrade", "Upgrade", "websocket", "Via", VIA];
  return [...own, ...(origin === undefined ? [] : ["Origin", origin]), ...readWebSocketHeaders(request).flat()];
}

function readAnswer(asked: ClientRequest, maxBytes: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  asked.on("error", reject);
  asked.once("upgrade", (response, socket: Socket, early) => {
    // An error also closes the socket. Without a listener, the event would crash the process.
    socket.on("error", () => {}).pause();
    if (early.length > 0) socket.unshift(early);
    const lines = readHeaders(response).map(([name, value]) => `${name}: ${value}`);
    resolve({ is: "accepted", socket, head: toAcceptedHead(lines) });
  });
  // Reject informational responses: workers don't send any, and their number would be unlimited.
  asked.once("information", ({ statusCode }) =>
    reject(new Error(`The worker responded to the upgrade with ${statusCode}.`)),
  );
  asked.once("response", (response) => {
    readRefusal(response, maxBytes).then((refusal) => resolve({ is: "refused", refusal }), reject);
  });
  asked.end();
  return promise;
}

async function readRefusal(response: IncomingMessage, maxBytes: number): Promise<RenderedRefusal> {
  const { statusCode: status = 0, headers } = response;
  if (status < 400) throw new Error(`The worker responded to the upgrade with ${status}.`);
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) {
    body += chunk;
    if (body.length > maxBytes) throw new Error("The worker's refusal is too long.");
  }
  const passed = PASSED.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return { status, headers: Object.fromEntries(passed), body };
}
