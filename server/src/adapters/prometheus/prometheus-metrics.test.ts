import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Gauges } from "../../ports/metrics.ts";
import { PrometheusMetrics } from "./prometheus-metrics.ts";

const GAUGES: Gauges = {
  capacity: { limit: 8, taken: 3 },
  ages: [{ kind: "chromium", ageMs: 86_400_000 }],
  open: [
    { kind: "chromium", traffic: { sent: 10, received: 200 } },
    { kind: "chromium", traffic: { sent: 1, received: 2 } },
    { kind: "chrome-headless-shell", traffic: { sent: 0, received: 0 } },
  ],
  warm: 2,
  proxies: { all: 4, serving: 3 },
  waitingForPlace: 6,
  launches: { running: 1, waiting: 5 },
  queries: { running: 3, waiting: 7 },
  desktops: { started: 2, viewers: 1 },
  connections: 6,
  bounds: { memoryBytes: 2048, diskBytes: 512, areFilesOnDisk: false, withoutGroups: undefined },
  droppedLogLines: 9,
  isReady: undefined,
  reportAgeMs: undefined,
  fleet: undefined,
};

/** Returns the values of our own metrics, by name and labels. */
async function read(metrics: PrometheusMetrics): Promise<Record<string, number>> {
  const { text } = await metrics.render();
  const lines = text.split("\n").filter((line) => line.startsWith("rbs_"));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

test("gauges report the current values when they are read", async () => {
  const metrics = new PrometheusMetrics();
  let gauges: Gauges = { ...GAUGES, warm: 1 };
  metrics.addGauges(() => gauges);
  await metrics.render();
  gauges = GAUGES;
  expect(await read(metrics)).toMatchObject({
    rbs_capacity: 8,
    rbs_capacity_taken: 3,
    rbs_browsers_warm: 2,
    rbs_proxies: 4,
    rbs_proxies_serving: 3,
    rbs_opens_waiting: 6,
    rbs_launches_running: 1,
    rbs_launches_waiting: 5,
    rbs_queries_running: 3,
    rbs_queries_waiting: 7,
    rbs_desktops_started: 2,
    rbs_desktop_viewers: 1,
    rbs_connections: 6,
    'rbs_browser_age_seconds{kind="chromium"}': 86_400,
    'rbs_browsers_open{kind="chromium"}': 2,
    'rbs_browsers_open{kind="chrome-headless-shell"}': 1,
    'rbs_traffic_bytes_total{direction="sent"}': 11,
    'rbs_traffic_bytes_total{direction="received"}': 202,
    rbs_log_lines_dropped_total: 9,
  });
});

test("a front-end reports gauges about workers and omits unknown values", async () => {
  const metrics = new PrometheusMetrics();
  let gauges: Gauges = GAUGES;
  metrics.addGauges(() => gauges);
  const unknown = Object.keys(await read(metrics)).filter((line) => /^rbs_(ready|report_age|fleet_[^p])/.test(line));
  expect(unknown).toEqual([]);
  const workers = new Map([
    ["active", 2],
    ["silent", 0],
  ] as const);
  const fleet = { workers, capacity: 40, taken: 30, warm: 3, plans: 1, waiting: 5 };
  gauges = { ...GAUGES, isReady: false, reportAgeMs: 1500, fleet };
  expect(await read(metrics)).toMatchObject({
    rbs_ready: 0,
    rbs_report_age_seconds: 1.5,
    'rbs_fleet_workers{state="active"}': 2,
    'rbs_fleet_workers{state="silent"}': 0,
    rbs_fleet_capacity: 40,
    rbs_fleet_capacity_taken: 30,
    rbs_fleet_browsers_warm: 3,
    rbs_fleet_plans: 1,
    rbs_fleet_opens_waiting: 5,
  });
  gauges = { ...gauges, isReady: true };
  expect(await read(metrics)).toMatchObject({ rbs_ready: 1 });
});

test("alert rules only refer to existing metrics and each have a runbook", async () => {
  const metrics = new PrometheusMetrics();
  metrics.addGauges(() => GAUGES);
  const { text } = await metrics.render();
  const known = new Set(Array.from(text.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name));
  const rules = await readFile(new URL("../../../../deploy/prometheus-alerts.yaml", import.meta.url), "utf8");
  const used = new Set(rules.match(/\brbs_\w+/g));
  expect(used.size).toBeGreaterThan(8);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  const count = (field: string): number => rules.split(`${field}: `).length - 1;
  expect([count("- alert"), count(" runbook")]).toEqual([count("severity"), count("severity")]);
});

test("an ended browser no longer appears in gauges, but its bytes still count", async () => {
  const metrics = new PrometheusMetrics();
  let gauges = GAUGES;
  metrics.addGauges(() => gauges);
  await metrics.render();
  gauges = { ...GAUGES, open: [] };
  // While an ended browser's bytes aren't counted anywhere, the counter must not decrease: Prometheus would treat that
  // as a restart.
  expect(await read(metrics)).toMatchObject({ 'rbs_traffic_bytes_total{direction="received"}': 202 });
  metrics.browserEnded("chromium", "requested", { sent: 10, received: 200 });
  metrics.browserEnded("chromium", "requested", { sent: 1, received: 2 });
  metrics.browserEnded("chromium", "crashed", { sent: 0, received: 0 });
  const lines = await read(metrics);
  expect(Object.keys(lines).filter((line) => line.startsWith("rbs_browsers_open"))).toEqual([]);
  expect(lines).toMatchObject({
    'rbs_browser_ends_total{kind="chromium",reason="requested"}': 2,
    'rbs_browser_ends_total{kind="chromium",reason="crashed"}': 1,
    'rbs_traffic_bytes_total{direction="sent"}': 11,
    'rbs_traffic_bytes_total{direction="received"}': 202,
  });
});

test("Opens, units and queries are counted and timed", async () => {
  const metrics = new PrometheusMetrics();
  metrics.openAnswered("ok");
  metrics.openAnswered("ok");
  metrics.openAnswered("BrowserLimit");
  metrics.openAnswered("abandoned");
  metrics.browserOpened("chromium", true, 8);
  metrics.browserOpened("chromium", false, 400);
  metrics.browserPlaced("opened");
  metrics.browserPlaced("full");
  metrics.workerCallFailed();
  metrics.unitsCharged(2);
  metrics.unitsCharged(1);
  metrics.queryAnswered("ok", 1500);
  expect(await read(metrics)).toMatchObject({
    'rbs_opens_total{outcome="ok"}': 2,
    'rbs_opens_total{outcome="BrowserLimit"}': 1,
    'rbs_opens_total{outcome="abandoned"}': 1,
    'rbs_open_seconds_bucket{le="0.01",kind="chromium",start="warm"}': 1,
    'rbs_open_seconds_sum{kind="chromium",start="cold"}': 0.4,
    'rbs_fleet_placements_total{outcome="opened"}': 1,
    'rbs_fleet_placements_total{outcome="full"}': 1,
    rbs_worker_calls_failed_total: 1,
    rbs_units_total: 3,
    'rbs_query_seconds_count{outcome="ok"}': 1,
  });
});

test("two services in one process count separately, and both render the process metrics", async () => {
  const [first, second] = [new PrometheusMetrics(), new PrometheusMetrics()];
  first.unitsCharged(5);
  expect((await read(second))["rbs_units_total"]).toBe(0);
  for (const metrics of [first, second]) {
    const { text, contentType } = await metrics.render();
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(contentType).toContain("text/plain");
  }
});
