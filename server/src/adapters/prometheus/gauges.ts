import { Gauge, type Registry } from "prom-client";
import type { Gauges } from "../../ports/metrics.ts";

/** Name, help and value of each gauge without labels. */
const PLAIN: readonly (readonly [string, string, (gauges: Gauges) => number])[] = [
  ["capacity", "Browsers that may be open at once on this machine.", (g) => g.capacity.limit],
  ["capacity_taken", "Browsers that are open or being opened.", (g) => g.capacity.taken],
  ["browsers_warm", "Warm browsers that are ready for an Open request.", (g) => g.warm],
  ["proxies", "Proxies of the deployment.", (g) => g.proxies.all],
  ["proxies_serving", "Proxies that passed their last check.", (g) => g.proxies.serving],
  ["launches_running", "Browsers that are starting.", (g) => g.launches.running],
  ["launches_waiting", "Opens that wait for their turn to start a browser.", (g) => g.launches.waiting],
  ["queries_running", "AI queries that are being answered.", (g) => g.queries.running],
  ["queries_waiting", "AI queries that wait for their turn.", (g) => g.queries.waiting],
  ["desktops_started", "Remote desktops that are started.", (g) => g.desktops.started],
  ["desktop_viewers", "Authenticated viewers of remote desktops.", (g) => g.desktops.viewers],
  ["connections", "DevTools clients and desktop viewers, connected or connecting.", (g) => g.connections],
];

/** Gauges whose values are read at each scrape. */
export function toGauges(read: () => Gauges): Gauge[] {
  const registers: Registry[] = [];
  return [
    ...PLAIN.map(
      ([name, help, value]) =>
        new Gauge({
          name: `rbs_${name}`,
          help,
          registers,
          collect() {
            this.set(value(read()));
          },
        }),
    ),
    // These two are reset first, so that a browser that has ended leaves no line behind.
    new Gauge({
      name: "rbs_browsers_open",
      help: "Open browsers, by kind.",
      labelNames: ["kind"],
      registers,
      collect() {
        this.reset();
        for (const { kind } of read().open) this.inc({ kind });
      },
    }),
    new Gauge({
      name: "rbs_browser_traffic_bytes",
      help: "Bytes that each open browser has sent to and received from the network; the id is the one in the log.",
      labelNames: ["id", "direction"],
      registers,
      collect() {
        this.reset();
        for (const { id, traffic } of read().open) {
          this.set({ id, direction: "sent" }, traffic.sent);
          this.set({ id, direction: "received" }, traffic.received);
        }
      },
    }),
  ];
}
