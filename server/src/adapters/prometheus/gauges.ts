import { Counter, Gauge } from "prom-client";
import type { Traffic } from "../../ports/egress.ts";
import type { Gauges } from "../../ports/metrics.ts";

/** Name, help and value of each gauge without labels. Undefined values are omitted. */
const PLAIN: readonly (readonly [string, string, (gauges: Gauges) => number | undefined])[] = [
  ["capacity", "Browsers that may be open at the same time on this machine.", (g) => g.capacity.limit],
  ["capacity_taken", "Browsers that are open or being opened.", (g) => g.capacity.taken],
  [
    "browser_memory_limit_bytes",
    "Memory that a browser may use; 0 without a limit.",
    (g) => g.bounds?.memoryBytes ?? 0,
  ],
  ["browser_disk_limit_bytes", "What a browser may store; 0 without a limit.", (g) => g.bounds?.diskBytes ?? 0],
  [
    "control_groups",
    "1 if the kernel's control groups limit browsers, otherwise 0.",
    (g) => Number(g.bounds !== undefined && g.bounds.withoutGroups === undefined),
  ],
  ["browsers_warm", "Warm browsers that are ready for an Open request.", (g) => g.warm],
  ["proxies", "Proxies in the deployment.", (g) => g.proxies.all],
  ["proxies_serving", "Proxies that passed their last check.", (g) => g.proxies.serving],
  [
    "opens_waiting",
    "Open requests that are waiting for room in their account's limit or a slot on the machine.",
    (g) => g.waitingForPlace,
  ],
  ["launches_running", "Browsers that are starting.", (g) => g.launches.running],
  ["launches_waiting", "Open requests that are waiting for their turn to start a browser.", (g) => g.launches.waiting],
  ["queries_running", "AI queries that are being answered.", (g) => g.queries.running],
  ["queries_waiting", "AI queries that are waiting for their turn.", (g) => g.queries.waiting],
  ["desktops_started", "Running remote desktops.", (g) => g.desktops.started],
  ["desktop_viewers", "Authenticated viewers of remote desktops.", (g) => g.desktops.viewers],
  ["connections", "DevTools clients and desktop viewers, connected or connecting.", (g) => g.connections],
  [
    "ready",
    "1 if the server can serve calls, otherwise 0.",
    (g) => (g.isReady === undefined ? undefined : Number(g.isReady)),
  ],
  [
    "report_age_seconds",
    "Time since the server last reported to the other servers that share its database.",
    (g) => (g.reportAgeMs === undefined ? undefined : g.reportAgeMs / 1000),
  ],
  ["fleet_capacity", "Maximum number of open browsers on the workers that accept Opens.", (g) => g.fleet?.capacity],
  ["fleet_capacity_taken", "Browsers open or being opened on the workers that accept Opens.", (g) => g.fleet?.taken],
  ["fleet_browsers_warm", "Warm browsers that are ready on the workers that accept Opens.", (g) => g.fleet?.warm],
  ["fleet_plans", "Different plans that the servers have; 1 if they are the same everywhere.", (g) => g.fleet?.plans],
  ["fleet_opens_waiting", "Open requests on this front-end that are waiting for a worker.", (g) => g.fleet?.waiting],
];

/** Creates metrics whose values are read at each scrape. @param ended The traffic of browsers that have ended. */
export function toGauges(read: () => Gauges, ended: Readonly<Traffic>): (Counter | Gauge)[] {
  const traffic = { sent: 0, received: 0 };
  return [
    ...PLAIN.map(([name, help, value]) =>
      newGauge(name, help, [], (gauge) => {
        const now = value(read());
        if (now === undefined) gauge.remove();
        else gauge.set(now);
      }),
    ),
    newGauge("fleet_workers", "Workers, by state.", ["state"], (gauge) => {
      for (const [state, count] of read().fleet?.workers ?? []) gauge.set({ state }, count);
    }),
    newCounter(
      "traffic_bytes",
      "Bytes that browsers have sent to and received from the network.",
      ["direction"],
      (counter) => {
        const open = [...read().open];
        for (const direction of ["sent", "received"] as const) {
          const live = open.reduce((sum, browser) => sum + browser.traffic[direction], 0);
          // While a browser is ending, its traffic briefly counts toward neither open nor ended browsers.
          traffic[direction] = Math.max(traffic[direction], ended[direction] + live);
          counter.inc({ direction }, traffic[direction]);
        }
      },
    ),
    newCounter("log_lines_dropped", "Log lines dropped because the log's reader was too slow.", [], (counter) =>
      counter.inc(read().droppedLogLines),
    ),
    newGauge("browser_age_seconds", "How long ago the installed browser was built, by kind.", ["kind"], (gauge) => {
      for (const { kind, ageMs } of read().ages) gauge.set({ kind }, ageMs / 1000);
    }),
    newGauge("browsers_open", "Open browsers, by kind.", ["kind"], (gauge) => {
      for (const { kind } of read().open) gauge.inc({ kind });
    }),
  ];
}

/** @param collect Called at each scrape, after the values of the previous scrape have been reset. */
function newGauge(name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void): Gauge {
  return new Gauge({
    name: `rbs_${name}`,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset();
      collect(this);
    },
  });
}

/** As `newGauge`. */
function newCounter(name: string, help: string, labelNames: string[], collect: (counter: Counter) => void): Counter {
  return new Counter({
    name: `rbs_${name}_total`,
    help,
    labelNames,
    registers: [],
    collect() {
      this.reset();
      collect(this);
    },
  });
}
