import type { History, Session } from "./history.ts";
import { type Band, type Series, escape, plot } from "./plot.ts";
import { PARTS, type Sample } from "./sampler.ts";
import type { Run } from "./simulate.ts";
import type { Violation } from "./checks/violations.ts";

const PART_NAMES = { front: "front-ends", worker: "workers", postgres: "PostgreSQL", clients: "clients" } as const;

/** Returns a percentile of the response times of Open, in ms. */
export function latencyOf(sessions: readonly Session[], share: number): number {
  const times = sessions.flatMap(({ tookMs }) => tookMs ?? []).toSorted((one, other) => one - other);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

/** Counts refusals by name. `lost` means that no response arrived. */
export function countRefusals({ sessions }: History): Map<string, number> {
  const refused = sessions.filter(({ answeredMs }) => answeredMs === undefined);
  const groups = Map.groupBy(refused, ({ refusal = "lost" }) => refusal);
  return new Map([...groups].map(([name, all]) => [name, all.length]));
}

/** Returns the response times of the measured Opens, in ms. */
export function measureOpens({ measured, sessions }: History) {
  const byLabel = new Map(sessions.map((session) => [session.label, session]));
  return measured.map(({ open, sessions: labels }) => {
    const all = labels.flatMap((label) => byLabel.get(label) ?? []);
    return { open, opens: all.length, p50: latencyOf(all, 0.5), p99: latencyOf(all, 0.99) };
  });
}

/** Minimum share of the sessions that must be open for a sample to count. */
const HELD = 0.95;

/** Describes how many processor cores each component used on average while all sessions were open. */
export function toCoresUsed(samples: readonly Sample[], sessions: number): string {
  const held = samples.filter(({ live }) => live >= sessions * HELD);
  const means = PARTS.map((part) => {
    const mean = held.reduce((sum, { cores }) => sum + cores[part], 0) / Math.max(1, held.length);
    return `${mean.toFixed(2)} by ${PART_NAMES[part]}`;
  });
  return `Processor cores used while all sessions were open (${held.length} s): ${means.join(", ")}.`;
}

/** Renders a run as a page with plots. */
export function toReport({ options, evidence, samples }: Run, violations: readonly Violation[]): string {
  const { history } = evidence;
  const fromMs = samples[0]?.atMs ?? 0;
  const seconds = ((samples.at(-1)?.atMs ?? fromMs) - fromMs) / 1000 || 1;
  const toSeconds = (atMs: number): number => (atMs - fromMs) / 1000;
  const bands = history.faults.map((fault) => ({
    name: `${fault.name}: ${fault.target}`,
    from: toSeconds(fault.fromMs),
    to: toSeconds(fault.toMs),
  }));
  const opened = history.sessions.filter(({ answeredMs }) => answeredMs !== undefined);
  const perSecond = Map.groupBy(opened, ({ answeredMs = 0 }) => Math.floor(toSeconds(answeredMs)));
  const everySecond = Array.from({ length: Math.ceil(seconds) }, (_, at) => at);
  const toLine = (name: string, valueAt: (at: number) => number | undefined): Series => ({
    name,
    points: everySecond.flatMap((at) => {
      const value = valueAt(at);
      return value === undefined ? [] : [[at, value] as const];
    }),
  });
  const draw = (unit: string, series: readonly Series[]): string => plot(unit, seconds, series, bands);
  const latency = (share: number) => (at: number) => {
    const sessions = perSecond.get(at);
    return sessions && latencyOf(sessions, share);
  };
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Simulation, seed ${options.seed}</title>
<style>body{font:15px system-ui;max-width:960px;margin:2em auto;padding:0 1em}svg{width:100%}
polyline{fill:none;stroke-width:1.5}.grid{stroke:#ddd}.fault{fill:#f3b23e;opacity:.35}text{font-size:11px;fill:#555}.y{text-anchor:end}
td,th{text-align:left;padding:.15em 1em .15em 0}figure{margin:1.5em 0}</style>
<h1>Simulation, seed ${options.seed}</h1>
<p>${options.fronts} front-ends, ${options.workers} workers, ${options.sessions} sessions, ${options.seconds} s.
${opened.length} browsers were opened, in ${latencyOf(opened, 0.5)} ms (median) and ${latencyOf(opened, 0.99)} ms (99 %).</p>
<p>${escape(toCoresUsed(samples, options.sessions))}</p>
${toMeasuredTable(history)}
<h2>Invariants</h2>${toViolationList(violations)}
${draw("Sessions", [{ name: "live", points: samples.map(({ atMs, live }) => [toSeconds(atMs), live]) }])}
${draw("Opens per second", [toLine("opened", (at) => perSecond.get(at)?.length ?? 0)])}
${draw("Open response time in ms", [toLine("median", latency(0.5)), toLine("slowest", latency(1))])}
${draw("Refusals per second", toRefusals(history, toSeconds, toLine))}
${draw("Processor cores", toCores(samples, toSeconds))}
<h2>Faults</h2>${toFaultTable(history, bands)}</html>
`;
}

function toRefusals(
  { sessions }: History,
  toSeconds: (atMs: number) => number,
  toLine: (name: string, valueAt: (at: number) => number) => Series,
): Series[] {
  const refused = sessions.filter(({ answeredMs }) => answeredMs === undefined);
  return [...Map.groupBy(refused, ({ refusal = "lost" }) => refusal)].map(([name, all]) => {
    const bySecond = Map.groupBy(all, ({ requestedMs }) => Math.floor(toSeconds(requestedMs)));
    return toLine(name, (at) => bySecond.get(at)?.length ?? 0);
  });
}

function toCores(samples: readonly Sample[], toSeconds: (atMs: number) => number): Series[] {
  return PARTS.map((part) => ({
    name: PART_NAMES[part],
    points: samples.map(({ atMs, cores }) => [toSeconds(atMs), cores[part]]),
  }));
}

function toViolationList(violations: readonly Violation[]): string {
  if (violations.length === 0) return "<p>All hold.</p>";
  const items = violations.map(
    ({ invariant, what, facts }) =>
      `<li>Invariant ${invariant}: ${escape(what)}<pre>${escape(facts.map((fact) => JSON.stringify(fact)).join("\n"))}</pre>`,
  );
  return `<ul>${items.join("")}</ul>`;
}

function toMeasuredTable(history: History): string {
  const rows = measureOpens(history).map(
    ({ open, opens, p50, p99 }) => `<tr><td>${open}<td>${opens}<td>${p50} ms<td>${p99} ms`,
  );
  if (rows.length === 0) return "";
  return `<table><tr><th>browsers open<th>Opens measured<th>median<th>99 %${rows.join("")}</table>`;
}

function toFaultTable({ faults }: History, bands: readonly Band[]): string {
  const rows = faults.map(({ name, target, freedMs }, at) => {
    const { from = 0, to = 0 } = bands[at] ?? {};
    const freed = freedMs.map((ms) => `${Math.round(ms)} ms`).join(", ");
    return `<tr><td>${from.toFixed(1)} s<td>${(to - from).toFixed(1)} s<td>${escape(name)}<td>${escape(target)}<td>${freed}`;
  });
  return `<table><tr><th>at<th>for<th>fault<th>of<th>old rows gone after the start${rows.join("")}</table>`;
}
