import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { onTestFinished } from "vitest";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { callProofs } from "../../../src/adapters/worker-http/call-proofs.ts";
import { newWorkerClient } from "../../../src/adapters/worker-http/worker-client.ts";
import { newServiceApp } from "../../../src/api/app.ts";
import { mountCluster } from "../../../src/cluster/cluster.ts";
import { readRequest } from "../../../src/api/request-context.ts";
import { CALL_PATH, CALLS_VERSION } from "../../../src/ports/cluster/worker-call-rules.ts";
import type { Clock } from "../../../src/ports/clock.ts";
import type { WorkerCalls } from "../../../src/ports/cluster/worker-calls.ts";
import { RecordingLog } from "../../fakes/recording-log.ts";

export const [SECRET, NEXT_SECRET] = ["first-".repeat(6), "second-".repeat(6)] as const;

type WorkerOptions = {
  /** The client's secret. */
  readonly secret?: string;
  /** The version of the client's calls. */
  readonly version?: number;
  /** The worker's clock. */
  readonly clock?: Pick<Clock, "elapsedMs">;
};

/**
 * Starts a worker that serves these calls on its own port, and a client for the worker. Both run until the test ends.
 */
export async function startWorker(
  calls: Partial<WorkerCalls>,
  { secret = SECRET, version = CALLS_VERSION, clock = systemClock }: WorkerOptions = {},
) {
  const acquired = new AsyncDisposableStack();
  onTestFinished(() => acquired.disposeAsync());
  const log = new RecordingLog();
  const app = newServiceApp({
    newRequestId: () => "of-the-worker",
    pathPrefix: "",
    origins: new Set(),
    isHttpsOnly: false,
    clock: systemClock,
    log,
  });
  const own = { id: "worker01", instance: "1", url: "" };
  mountCluster(app, calls as WorkerCalls, {
    secrets: [SECRET, NEXT_SECRET],
    worker: own,
    proofs: callProofs,
    clock,
    log,
  });
  const server = createAdaptorServer({ fetch: app.fetch, autoCleanupIncoming: false }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  acquired.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  own.url = url;
  const client = acquired.use(
    newWorkerClient({ secret, clock: systemClock, readRequestId: () => readRequest()?.requestId, version }),
  );
  /** Sends a request as a front-end of the first version would. */
  const post = (name: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + CALL_PATH + name, {
      method: "POST",
      body,
      headers: { Authorization: `Bearer ${SECRET}`, "Content-Type": "application/json", ...headers },
    });
  return { worker: client.at(own), client, own, log, post, url };
}
