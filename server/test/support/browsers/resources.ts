import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { until } from "../until.ts";

const END_MS = 10_000;

/** Resources that the server holds for browsers: none when no browser is open. */
export type Resources = {
  /** Truncated command lines of the server's processes. */
  readonly processes: readonly string[];
  /** Names of the sandbox folders. */
  readonly folders: readonly string[];
  /** The database rows of browsers that are open or opening. */
  readonly rows: number;
  /** Files and sockets that the server has opened since it became ready. */
  readonly descriptors: readonly string[];
};

export const NO_RESOURCES: Resources = { processes: [], folders: [], rows: 0, descriptors: [] };

/** Waits until the server holds no resources for browsers. */
export async function expectNothingHeld(server: { readResources(): Promise<Resources> }): Promise<void> {
  const isNothing = (resources: Resources): boolean => isDeepStrictEqual(resources, NO_RESOURCES);
  const resources = await until(() => server.readResources(), isNothing, END_MS).catch(() => server.readResources());
  expect({ ...resources, processes: countEqual(resources.processes) }).toEqual(NO_RESOURCES);
}

/** Counts identical lines, so that a failed test with many browsers doesn't fill its output with their processes. */
function countEqual(lines: readonly string[]): string[] {
  const counts = Object.groupBy(lines, (line) => line.slice(0, 60));
  return Object.entries(counts).map(([line, equal = []]) => `${equal.length} × ${line}`);
}

/** Returns the targets of a process's file descriptors; an empty list if the process has ended. */
export function readDescriptors(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => readTarget(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

/** Undefined if the descriptor has already been closed. */
function readTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

export function countRows(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
  const row = database.prepare("select count(*) as rows from browsers where state in ('opening', 'open')").get();
  database.close();
  return Number(row?.["rows"]);
}
