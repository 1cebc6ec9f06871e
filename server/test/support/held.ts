import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { until } from "./until.ts";

const END_MS = 10_000;

/** What is held for browsers: nothing of it may stay when none is open. */
export type Held = {
  /** Command lines, shortened, of everything that runs for the server. */
  readonly processes: readonly string[];
  /** Folders of browsers. */
  readonly folders: readonly string[];
  /** Rows in the books of browsers that are open or being opened. */
  readonly rows: number;
  /** What file descriptors of the server, beyond those it was ready with, lead to: files, sockets. */
  readonly descriptors: readonly string[];
};

export const NOTHING: Held = { processes: [], folders: [], rows: 0, descriptors: [] };

/** The rule after every end, whatever its cause. */
export async function expectNothingHeld(server: { held(): Promise<Held> }): Promise<void> {
  const isNothing = (held: Held): boolean => isDeepStrictEqual(held, NOTHING);
  const held = await until(() => server.held(), isNothing, END_MS).catch(() => server.held());
  expect(held).toEqual(NOTHING);
}

/** What the file descriptors of a process lead to; of one that is gone, nothing. */
export function readDescriptors(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => readTarget(join(folder, name)) ?? []);
  } catch {
    return [];
  }
}

/** Undefined for one that was closed meanwhile. */
function readTarget(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

export function countRows(dataDir: string): number {
  const books = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
  const row = books.prepare("select count(*) as rows from browsers where state in ('opening', 'open')").get();
  books.close();
  return Number(row?.["rows"]);
}
