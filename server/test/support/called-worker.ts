import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { onTestFinished } from "vitest";
import { systemClock } from "../../src/adapters/system-clock/system-clock.ts";
import { newWorkerClient } from "../../src/adapters/worker-http/worker-client.ts";
import { newServiceApp } from "../../src/api/app.ts";
import { mountCluster } from "../../src/api/cluster.ts";
import { readRequestId } from "../../src/api/request-id.ts";
import { CALL_PATH, CALLS_VERSION } from "../../src/ports/worker-call-rules.ts";
import type { WorkerCalls } from "../../src/ports/worker-calls.ts";
import { RecordingLog } from "../fakes/recording-log.ts";

export const [SECRET, NEXT_SECRET] = ["first-".repeat(6), "second-".repeat(6)] as const;

/** A worker with these calls on a port of its own, and a client of it, until the test ends. */
export async function startWorker(
  calls: Partial<WorkerCalls>,
  { secret = SECRET, version = CALLS_VERSION }: { readonly secret?: string; readonly version?: number } = {},
) {
  const acquired = new AsyncDisposableStack();
  onTestFinished(() => acquired.disposeAsync());
  const log = new RecordingLog();
  const app = newServiceApp({
    newRequestId: () => "of-the-worker",
    pathPrefix: "",
    origins: new Set(),
    isHttpsOnly: false,
    log,
  });
  mountCluster(app, calls as WorkerCalls, { secrets: [SECRET, NEXT_SECRET], log });
  const server = createAdaptorServer({ fetch: app.fetch, autoCleanupIncoming: false }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  acquired.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = acquired.use(newWorkerClient({ secret, clock: systemClock, readRequestId, version }));
  const post = (name: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + CALL_PATH + name, {
      method: "POST",
      body,
      headers: { Authorization: `Bearer ${SECRET}`, "Content-Type": "application/json", ...headers },
    });
  return { worker: client.at(url), log, post, url };
}
