import { Gauge, Registry } from "prom-client";
import type { GaugeReadings } from "../../ports/metrics.ts";

/** What is so at a moment, in a registry of its own: a browser that has ended leaves no line behind. */
export function readGauges({
  capacity,
  open,
  warm,
  proxies,
  launches,
  queries,
  desktops,
  connections,
}: GaugeReadings): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, value: number): void => {
    new Gauge({ name: `rbs_${name}`, help, registers: [registry] }).set(value);
  };
  gauge("capacity", "Browsers that may be open at once on this machine.", capacity.limit);
  gauge("capacity_taken", "Of these, open or being opened.", capacity.taken);
  gauge("browsers_warm", "Browsers that stand ready for an Open.", warm);
  gauge("proxies", "Proxies of the deployment.", proxies.all);
  gauge("proxies_serving", "Of these, the ones that answered when they were last checked.", proxies.serving);
  gauge("launches_running", "Browsers that are starting.", launches.running);
  gauge("launches_waiting", "Opens that wait for their browser's turn to start.", launches.waiting);
  gauge("queries_running", "AI queries that have a place.", queries.running);
  gauge("queries_waiting", "AI queries that wait for a place.", queries.waiting);
  gauge("desktops_started", "Remote desktops that are started.", desktops.started);
  gauge("desktop_viewers", "Viewers of remote desktops whose password was right.", desktops.viewers);
  gauge("connections", "DevTools clients and desktop viewers, connected or connecting.", connections);

  const byKind = new Gauge({
    name: "rbs_browsers_open",
    help: "Open browsers, by kind.",
    labelNames: ["kind"],
    registers: [registry],
  });
  const traffic = new Gauge({
    name: "rbs_browser_traffic_bytes",
    help: "Bytes of each open browser so far, to and from the network; the id is the one in the log.",
    labelNames: ["id", "direction"],
    registers: [registry],
  });
  for (const { id, kind, traffic: bytes } of open) {
    byKind.inc({ kind });
    traffic.set({ id, direction: "sent" }, bytes.sent);
    traffic.set({ id, direction: "received" }, bytes.received);
  }
  return registry;
}
