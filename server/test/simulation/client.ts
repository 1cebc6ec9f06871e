import { WebSocket } from "ws";
import { expectDeclared } from "../support/servers/contract-check.ts";
import { type Answered, send } from "../support/servers/call.ts";
import { readLog } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";
import type { Random } from "../faults/random.ts";
import type { Machine } from "./machine.ts";

/** Time after which a client considers a request lost, in ms. An Open on a busy machine takes a second. */
const REQUEST_MS = 20_000;
/** Time limit for a handshake, in ms. */
const CONNECT_MS = 10_000;

const NEVER = new AbortController().signal;

/** A client's view of the deployment: front-ends, any of which can serve a request. */
export type Client = {
  /** @param signal Aborts the request. @returns The response, or undefined if no response arrived. */
  post(
    operation: string,
    body: object,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Answered | undefined>;
  /** @returns The connection, or a refusal's status code; undefined if no response arrived. */
  connect(address: string): Promise<Connection | number | undefined>;
};

/** A connection to a browser, and the id of the front-end that relays it. */
type Connection = { readonly socket: WebSocket; readonly front: string };

type ClientOptions = {
  readonly fronts: readonly Machine[];
  /** The addresses that the client connects from. */
  readonly addresses: readonly string[];
  readonly random: Random;
  readonly token: () => string;
  readonly onMistake: (mistake: string) => void;
};

export function newClient({ fronts, addresses, random, token, onMistake }: ClientOptions): Client {
  const draw = (): Machine => random.oneOf(fronts) as Machine;
  return {
    async post(operation, body, others = {}, ended = NEVER) {
      const path = `/api/v1/Browser/${operation}`;
      const headers = { ...others, Authorization: `Bearer ${token()}`, "Content-Type": "application/json" };
      const signal = AbortSignal.any([ended, AbortSignal.timeout(REQUEST_MS)]);
      const front = draw();
      const answer = await send(new URL(path, front.url), "POST", headers, JSON.stringify(body), signal).catch(
        () => undefined,
      );
      if (answer === undefined || answer.status === 200) return answer;
      if (answer.status >= 500 && answer.status !== 503) onMistake(await explain(front, operation, answer));
      try {
        expectDeclared(path, "POST", answer.status, answer.headers, answer.body);
      } catch (error) {
        onMistake(`${operation}: ${String(error)}`);
      }
      return answer;
    },

    async connect(address) {
      const { promise, resolve } = Promise.withResolvers<Connection | number | undefined>();
      const { pathname } = new URL(address);
      const { url, id } = draw();
      const socket = new WebSocket(`ws://${url.host}${pathname}`, {
        localAddress: random.oneOf(addresses),
        handshakeTimeout: CONNECT_MS,
        perMessageDeflate: false,
      });
      socket.on("error", () => resolve(undefined));
      socket.once("open", () => resolve({ socket, front: id }));
      socket.once("unexpected-response", (request, answer) => {
        resolve(answer.statusCode);
        request.destroy();
      });
      return promise;
    },
  };
}

/** Returns the front-end's log lines about a failed request. */
async function explain(front: Machine, operation: string, { status, headers }: Answered): Promise<string> {
  const id = headers.get("x-request-id");
  const find = (): object | undefined =>
    readLog(front.server(), "request.failed").find(({ requestId }) => requestId === id);
  const line = await until(find, (found) => found !== undefined).catch(() => ({ requestId: id }));
  return `${front.name} returned ${status} for ${operation}: ${JSON.stringify(line)}`;
}
