import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { OperationId } from "@remote-browser/contract/operations";
import { findOperation, readPlace } from "./base-url.ts";
import { findFault, listFaults } from "./faults.ts";
import { type Target, carryOut } from "./carry-out.ts";

/** A request to a base URL that has a fault. */
export type Logged = {
  /** Null for a path without an operation. */
  readonly operation: OperationId | null;
  /** Null if no response was sent. */
  status: number | null;
};

/** A proxy that simulates network failures, gateway failures and busy servers. */
export type FaultProxy = AsyncDisposable & { readonly url: string };

/**
 * Starts a fault proxy on a free port. Requests to the proxy's own URL pass unchanged. `URL/~FAULT~NONCE` is a base URL
 * with a fault, and `GET URL/~FAULT~NONCE/log` returns the requests to that base URL.
 */
export async function openFaultProxy(target: Target): Promise<FaultProxy> {
  const logs = new Map<string, Logged[]>();
  const ended = new AbortController();
  const server = createServer((request, response) => {
    serve(request, response, { target, logs, ended: ended.signal }).catch((error: unknown) => tell(response, error));
  });
  // Reusing a connection while the server closes it would cause a fault that the test didn't request.
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
  if (fault === undefined) throw new Error(`The fault ${name} does not exist. Choose from ${listFaults().join(", ")}.`);
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

/**
 * Reports a mistake in the test, or an unreachable server, as plain text, which clients don't mistake for a service
 * error.
 */
function tell(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(500, { "content-type": "text/plain" }).end(`The fault proxy could not answer. ${String(error)}\n`);
}
