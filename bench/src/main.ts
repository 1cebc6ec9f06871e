import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { misuse, startCommand } from "../../command-line/src/command-line.ts";
import { Bench, type Row } from "./bench.ts";
import { describeMachine } from "./report/machine.ts";
import type { Figure } from "./report/figure.ts";
import { withFigures } from "./report/document.ts";
import { renderHead, renderLine } from "./report/table.ts";
import { admissions } from "./rows/postgres/admissions.ts";
import { attacks } from "./rows/devtools/attacks.ts";
import { browserMemory } from "./rows/memory/browser-memory.ts";
import { browserarena } from "./rows/opens/browserarena.ts";
import { down, pipelined, screenshot, up } from "./rows/devtools/bulk.ts";
import { call } from "./rows/devtools/call.ts";
import { conformance } from "./rows/requests/conformance.ts";
import { desktop } from "./rows/devtools/desktop.ts";
import { egress, neighbour } from "./rows/devtools/egress.ts";
import { frontGet, get, postgresGet } from "./rows/requests/get.ts";
import { fleetUpkeep } from "./rows/postgres/fleet-upkeep.ts";
import { heldDatabase } from "./rows/devtools/held-database.ts";
import { openRows } from "./rows/opens/open.ts";
import { openCloseLoop, opensAtOnce } from "./rows/opens/opens-at-once.ts";
import { largePages, pages } from "./rows/requests/pages.ts";
import { toPeerRows } from "./rows/peers.ts";
import { postgresWarmOpen } from "./rows/opens/postgres-warm-open.ts";
import { postgresSize } from "./rows/postgres/postgres-size.ts";
import { freshMemory, memoryAfterGet, memoryAfterOpens } from "./rows/memory/server-memory.ts";
import { relay } from "./rows/devtools/relay.ts";
import { records, replayedOpen } from "./rows/requests/records.ts";
import { stalledClient } from "./rows/memory/stalled-client.ts";
import { turns } from "./rows/memory/turns.ts";
import { waitingOpens } from "./rows/memory/waiting-opens.ts";
import { warmAuto } from "./rows/opens/warm-auto.ts";
import { warmAtOnce, warmOpen, warmPage } from "./rows/opens/warm.ts";
import { findPeers } from "./subjects/peers/find-peers.ts";

const USAGE = `npm run bench -- [OPTIONS]

Measures the service's speed and memory, and compares each figure with a baseline from the same run.

  --only ROW      measure only this row; can be repeated
  --peers FOLDER  measure other services, which are installed in this folder
  --write         update the table in docs/benchmarks.md
`;

const ROWS: readonly Row[] = [
  // Must be first, because programs that are already running would share its memory.
  browserMemory,
  freshMemory,
  memoryAfterOpens,
  memoryAfterGet,
  heldDatabase,
  turns,
  waitingOpens,
  stalledClient,
  desktop,
  get,
  records,
  replayedOpen,
  pages,
  largePages,
  admissions,
  postgresGet,
  frontGet,
  postgresSize,
  fleetUpkeep,
  conformance,
  ...openRows,
  warmOpen,
  postgresWarmOpen,
  warmPage,
  browserarena,
  call,
  relay,
  pipelined,
  down,
  up,
  screenshot,
  opensAtOnce,
  openCloseLoop,
  warmAtOnce,
  warmAuto,
  egress,
  neighbour,
  attacks,
];
const DOCUMENT = fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url));

async function main(): Promise<void> {
  const { values } = startCommand({
    usage: USAGE,
    options: {
      only: { type: "string", multiple: true },
      peers: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.write && (values.only ?? values.peers) !== undefined) {
    misuse("--write updates the whole table: omit --only and --peers.");
  }
  const available = values.peers === undefined ? ROWS : findPeers(toUserPath(values.peers)).flatMap(toPeerRows);
  const rows = values.only?.map((name) => findRow(available, name)) ?? available;
  const startedMs = performance.now();
  const machine = await describeMachine();
  process.stdout.write(`On ${machine}.\n\n${renderHead()}`);
  const figures: Figure[] = [];
  await using bench = await Bench.start((done, all) => showProgress(`round ${done} of ${all}`));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void bench[Symbol.asyncDispose]().finally(() => process.exit(1)));
  }
  for (const row of rows) {
    showProgress(row.name);
    const measured = await row.measure(bench).catch(async (error: unknown) => {
      const logs = await bench.readLogs();
      process.stderr.write(`${row.name} failed. The last lines of its processes' logs:\n${logs}\n${toText(error)}\n`);
      process.exitCode = 1;
      return [toFailed(row)];
    });
    showProgress("");
    for (const figure of measured) process.stdout.write(renderLine(figure));
    figures.push(...measured);
  }
  const missed = figures.filter(({ isMet }) => !isMet).length;
  const took = `${Math.round((performance.now() - startedMs) / 1000)} s`;
  process.stdout.write(`\n${figures.length} figures in ${took}, ${missed} missed their targets.\n`);
  if (values.write) await writeFile(DOCUMENT, withFigures(await readFile(DOCUMENT, "utf8"), machine, figures));
}

/** Returns a failed row's figure. The bench continues after a failure, because a full run takes almost an hour. */
function toFailed({ name }: Row): Figure {
  return { name, ours: "not measured", baseline: "", compared: "the measurement failed", target: "", isMet: false };
}

/** Resolves a path relative to the folder in which the user ran npm. npm runs commands in the workspace's folder. */
function toUserPath(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", path);
}

function findRow(rows: readonly Row[], name: string): Row {
  const row = rows.find((each) => each.name === name);
  if (row !== undefined) return row;
  misuse(`Unknown row ${JSON.stringify(name)}. Choose one of: ${rows.map((each) => each.name).join(", ")}.`);
}

/** Shows a progress line on a terminal. The next line overwrites it. */
function showProgress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${what}`);
}

// Child processes also stop if this process crashes.
main().catch((error: unknown) => {
  process.stderr.write(`${toText(error)}\n`);
  process.exitCode = 1;
});

/** Describes an error and any errors in the subsequent clean-up. */
function toText(error: unknown): string {
  if (error instanceof SuppressedError) return `${toText(error.suppressed)}\nDuring clean-up: ${toText(error.error)}`;
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.stack ?? error.message) : `${error.message}\n${toText(error.cause)}`;
}
