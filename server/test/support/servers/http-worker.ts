import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Server, Socket } from "node:net";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { callProofs } from "../../../src/adapters/worker-http/call-proofs.ts";
import { newWorkerClient } from "../../../src/adapters/worker-http/worker-client.ts";
import { CallGuard } from "../../../src/cluster/call-guard.ts";
import { INTRODUCE } from "../../../src/ports/cluster/call-proofs.ts";
import { CALL_PATH } from "../../../src/ports/cluster/worker-call-rules.ts";
import type { WorkerCalls, WorkerClient } from "../../../src/ports/cluster/worker-calls.ts";
import type { FakeClock } from "../../fakes/fake-clock.ts";

const [ID, SECRET] = ["worker01", "s".repeat(32)];

export const [OWNER, BY_ID] = [{ id: "ac_1" }, { id: "br_1" }];
export const NEVER = new AbortController().signal;

/** The rejections of calls that had no effect, and of calls that may have had an effect. */
export const NOT_DONE = { name: "WorkerUnreachable", isOutcomeUnknown: false };
export const UNKNOWN = { name: "WorkerUnreachable", isOutcomeUnknown: true };

export async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => error);
}

/** Listens on its own port until the test ends. `close` drops the connections. */
export async function listen(server: Server) {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, sockets, close };
}

/**
 * Starts a server that poses as a worker: it proves that it is the worker, then responds to calls with `answer`.
 * @returns The server's URL, and the sockets of incoming calls.
 */
export async function startHttp(answer: RequestListener) {
  const sockets: Socket[] = [];
  const { port } = await listen(
    createServer(
      afterIntroduction((request, response) => {
        if (!sockets.includes(request.socket)) sockets.push(request.socket);
        answer(request, response);
      }),
    ),
  );
  return { url: `http://127.0.0.1:${port}`, sockets };
}

/** Proves that this server is the worker. */
export const introduce: RequestListener = (request, response) => {
  const [path = ""] = request.url?.split(CALL_PATH) ?? [];
  const worker = { id: ID, instance: "1", url: `http://${request.headers.host}${path}` };
  const guard = new CallGuard({ secrets: [SECRET], worker, proofs: callProofs, clock: systemClock });
  response.end(JSON.stringify(guard.introduce(request.headers.authorization)));
};

export function isIntroduction(url: string | undefined): boolean {
  return url?.endsWith(CALL_PATH + INTRODUCE) === true;
}

/** Proves that this server is the worker, then responds to calls with `answer`. */
export function afterIntroduction(answer: RequestListener): RequestListener {
  return (request, response) => (isIntroduction(request.url) ? introduce : answer)(request, response);
}

export const done: RequestListener = (request, response) => {
  request.resume().once("end", () => response.end('{"is":"done"}'));
};

type ClientOptions = { readonly clock?: FakeClock | typeof systemClock; readonly maxArrivingBytes?: number };

/** Creates a client for workers, which is closed when the test ends. */
export function newClient({ clock = systemClock, ...limits }: ClientOptions = {}): WorkerClient {
  const client = newWorkerClient({ secret: SECRET, clock, readRequestId: () => undefined, ...limits });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

/** Returns a client for the worker at a URL. */
export function connectTo(url: string, options?: ClientOptions): WorkerCalls {
  return newClient(options).at({ id: ID, instance: "1", url });
}
