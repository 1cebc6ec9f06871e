import type { Config } from "../config/config.ts";
import type { Fleet } from "../ports/fleet.ts";
import type { WorkerCalls } from "../ports/worker-calls.ts";
import type { Residents } from "../services/browsers/residents.ts";
import type { Desktops } from "../services/desktops/desktops.ts";
import { Descriptions } from "../services/fleet/descriptions.ts";
import { Upkeep } from "../services/fleet/upkeep.ts";
import { WorkerDesk } from "../services/fleet/worker-desk.ts";
import type { Ports } from "./ports.ts";
import type { Foundation } from "./use-cases.ts";

type DeskNeeds = {
  readonly config: Config;
  readonly ports: Ports;
  readonly foundation: Foundation;
  readonly fleet: Fleet;
  readonly residents: Residents;
  readonly desktops: Desktops;
};

/** Starts what a worker does for front-ends; undefined without any. */
export function startDesk(
  { config, ports: { clock, log }, foundation, fleet, residents, desktops }: DeskNeeds,
  acquired: AsyncDisposableStack,
): WorkerCalls | undefined {
  const { store, outbox, events } = foundation;
  const { cluster } = config;
  if (cluster?.role !== "worker" || store.fleet === undefined) return undefined;
  const descriptions = acquired.use(new Descriptions({ fleet, store: store.fleet, events, clock, log }));
  descriptions.start();
  const { publicUrl } = cluster;
  const needs = { residents, store: store.fleet, clock };
  const desk = new WorkerDesk({ ...needs, fleet, desktops, descriptions, outbox, publicUrl });
  const isOpening = (id: string): boolean => desk.isOpening(id);
  acquired.use(new Upkeep({ ...needs, browsers: store.browsers, isOpening, log })).start();
  return desk;
}
