import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { OperationId } from "@remote-browser/contract/operations";
import { findOperation, readPlace } from "./base-url.ts";
import { findFault, listFaults } from "./faults.ts";
import { type Target, carryOut } from "./carry-out.ts";

/** A request that came in under a base URL with a fault. */
export type Logged = {
  /** Null: at a path where the contract has no operation. */
  readonly operation: OperationId | null;
  /** Null: no answer was sent. */
  status: number | null;
};

/** Stands before a server and does to its clients what networks, gateways and busy machines do. */
export type FaultProxy = AsyncDisposable & { readonly url: string };

/**
 * Serves on a free port. Under its own base URL everything passes; under `URL/~FAULT~NONCE` the fault happens, and
 * `GET URL/~FAULT~NONCE/log` tells which requests came.
 */
export async function openFaultProxy(target: Target): Promise<FaultProxy> {
  const logs = new Map<string, Logged[]>();
  const ended = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, { target, logs, ended: ended.signal }).catch((error: unknown) => tell(response, error));
  });
  // A client that uses a connection again while it is being closed would see a fault that nobody ordered.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      if (ended.signal.aborted) return;
      ended.abort();
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Proxy = { readonly target: Target; readonly logs: Map<string, Logged[]>; readonly ended: AbortSignal };

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { target, logs, ended }: Proxy,
): Promise<void> {
  const { key, fault: name, rest } = readPlace(request.url ?? "/");
  const log = key === undefined ? [] : (logs.get(key) ?? []);
  if (key !== undefined && rest === "/log") {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ requests: log }));
    return;
  }
  const fault = findFault(name);
  if (fault === undefined) throw new Error(`There is no fault ${name}, only ${listFaults().join(", ")}.`);
  if (key !== undefined) logs.set(key, log);
  const method = request.method ?? "GET";
  const operation = findOperation(method, rest);
  const logged: Logged = { operation: operation ?? null, status: null };
  log.push(logged);
  const count = log.length;
  const { headers } = request;
  const body = await buffer(request);
  const act = fault({ operation, count, headers, body: body.toString() });
  const passed = { method, url: new URL(rest, target.url), headers, body };
  await carryOut({ act, operation, passed, response, target, ended, note: (status) => (logged.status = status) });
}

/** For a mistake in a test, or a server that is gone: in words, since no client has a name for either. */
function tell(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  response
    .writeHead(500, { "content-type": "text/plain" })
    .end(`The stage's proxy could not answer. ${String(error)}\n`);
}
