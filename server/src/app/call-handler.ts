import type { Config } from "../config/config.ts";
import type { Fleet } from "../ports/fleet.ts";
import type { WorkerCalls } from "../ports/cluster/worker-calls.ts";
import type { LocalBrowsers } from "../services/browsers/local-browsers.ts";
import type { Desktops } from "../services/desktops/desktops.ts";
import { Descriptions } from "../services/workers/descriptions.ts";
import { Reconciler } from "../services/workers/reconciler.ts";
import { WorkerCallHandler } from "../services/workers/worker-call-handler.ts";
import type { Ports } from "./ports.ts";
import type { Foundation } from "./use-cases.ts";

type CallHandlerNeeds = {
  readonly config: Config;
  readonly ports: Ports;
  readonly foundation: Foundation;
  readonly fleet: Fleet;
  readonly localBrowsers: LocalBrowsers;
  readonly desktops: Desktops;
};

/** Starts what a worker does for front-ends; undefined without any. */
export function startCallHandler(
  { config, ports: { clock, log }, foundation, fleet, localBrowsers, desktops }: CallHandlerNeeds,
  acquired: AsyncDisposableStack,
): WorkerCalls | undefined {
  const { store, outbox, events } = foundation;
  const { cluster } = config;
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
