import type { Cluster } from "../../config/cluster.ts";
import type { Clock } from "../../ports/clock.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store/store.ts";
import type { AccountEvents } from "../../services/store/account-events.ts";
import type { LocalBrowsers } from "../../services/browsers/local-browsers.ts";
import type { Desktops } from "../../services/desktops/desktops.ts";
import type { Outbox } from "../../services/store/outbox.ts";
import { Descriptions } from "../../services/workers/descriptions.ts";
import { Reconciler } from "../../services/workers/reconciler.ts";
import { WorkerCallHandler } from "../../services/workers/worker-call-handler.ts";

type WorkerCallNeeds = {
  readonly cluster: Cluster | undefined;
  readonly store: Store;
  readonly outbox: Outbox;
  readonly events: AccountEvents;
  readonly fleet: Fleet;
  readonly localBrowsers: LocalBrowsers;
  readonly desktops: Desktops;
  readonly clock: Clock;
  readonly log: Log;
};

/** Starts what a worker does for front-ends; undefined without any. */
export function startWorkerCalls(
  { cluster, store, outbox, events, fleet, localBrowsers, desktops, clock, log }: WorkerCallNeeds,
  acquired: AsyncDisposableStack,
): WorkerCalls | undefined {
  if (cluster?.role !== "worker" || store.fleet === undefined) return undefined;
  const descriptions = acquired.use(new Descriptions({ fleet, store: store.fleet, events, clock, log }));
  descriptions.start();
  const { publicUrl } = cluster;
  const needs = { localBrowsers, store: store.fleet, clock };
  const handler = new WorkerCallHandler({ ...needs, fleet, desktops, descriptions, outbox, publicUrl });
  const isOpening = (id: string): boolean => handler.isOpening(id);
  acquired.use(new Reconciler({ ...needs, browsers: store.browsers, isOpening, log })).start();
  return handler;
}
