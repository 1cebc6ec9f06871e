import type { Cluster } from "../../config/cluster.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { LocalBrowsers } from "../../services/browsers/local-browsers.ts";
import type { Desktops } from "../../services/desktops/desktops.ts";
import { Descriptions } from "../../services/workers/descriptions.ts";
import { Reconciler } from "../../services/workers/reconciler.ts";
import { WorkerCallHandler } from "../../services/workers/worker-call-handler.ts";
import type { Ports } from "../compose/ports.ts";
import type { Foundation } from "./use-cases.ts";

/** Starts the services that a worker runs for front-ends. @returns Undefined for other roles. */
export function startWorkerCalls(
  cluster: Cluster | undefined,
  { store, outbox, events }: Foundation,
  browsers: { readonly fleet: Fleet; readonly localBrowsers: LocalBrowsers; readonly desktops: Desktops },
  { clock, log }: Ports,
  acquired: AsyncDisposableStack,
): WorkerCalls | undefined {
  if (cluster?.role !== "worker" || store.fleet === undefined) return undefined;
  const { fleet, localBrowsers } = browsers;
  const descriptions = acquired.use(new Descriptions({ fleet, store: store.fleet, events, clock, log }));
  descriptions.start();
  const { publicUrl } = cluster;
  const handler = new WorkerCallHandler({ ...browsers, store: store.fleet, clock, descriptions, outbox, publicUrl });
  const isOpening = (id: string): boolean => handler.isOpening(id);
  acquired
    .use(new Reconciler({ localBrowsers, store: store.fleet, browsers: store.browsers, isOpening, clock, log }))
    .start();
  return handler;
}
