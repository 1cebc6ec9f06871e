import { constants } from "node:fs";
import { access, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ConfigError } from "../config-error.ts";
import { renderBadge } from "./badge.ts";
import type { Comparison } from "./comparison.ts";
import { renderHtml } from "./html/page.ts";
import { renderJunit } from "./junit.ts";
import type { ReportPaths, RunReport } from "./report.ts";

/** The paths of the written reports, and why the other reports could not be written. */
export type Written = { readonly paths: readonly string[]; readonly problems: readonly string[] };

type Kind = keyof ReportPaths;

/** Timeout for creating a directory, which never finishes on some file systems. */
const FOLDER_MS = 5000;

const RENDERERS: Readonly<Record<Kind, (report: RunReport, comparison?: Comparison) => string>> = {
  html: renderHtml,
  junit: renderJunit,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
  badge: renderBadge,
};

/**
 * Creates the reports' directories before the run starts.
 * @throws {ConfigError} If paths can't be written to; the error lists them all.
 */
export async function prepareReports(paths: ReportPaths): Promise<void> {
  const wanted = kindsOf(paths);
  const twice = wanted.filter(([, path], at) => wanted.findIndex(([, other]) => resolve(other) === resolve(path)) < at);
  const mistakes = [
    ...twice.map(([kind, path]) => `--${kind} ${path}: another report already uses this file.`),
    ...(await Promise.all(wanted.map(([kind, path]) => findMistake(kind, path)))).flat(),
  ];
  if (mistakes.length > 0) throw new ConfigError(mistakes);
}

/** Tries to write every report. A failure to write one report does not affect the others. */
export async function writeReports(report: RunReport, paths: ReportPaths, comparison?: Comparison): Promise<Written> {
  const written: string[] = [];
  const problems: string[] = [];
  for (const [kind, path] of kindsOf(paths)) {
    try {
      await writeFile(path, RENDERERS[kind](report, comparison));
      written.push(path);
    } catch (error) {
      problems.push(`The ${kind} report could not be written to ${path}: ${toText(error)}`);
    }
  }
  return { paths: written, problems };
}

function kindsOf(paths: ReportPaths): readonly (readonly [Kind, string])[] {
  return (Object.keys(RENDERERS) as Kind[]).flatMap((kind) => {
    const path = paths[kind];
    return path === undefined ? [] : [[kind, path] as const];
  });
}

async function findMistake(kind: Kind, path: string): Promise<string[]> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(
      () => reject(new Error(`its directory could not be created within ${FOLDER_MS / 1000} s`)),
      FOLDER_MS,
    ).unref();
  });
  try {
    await Promise.race([mkdir(dirname(path), { recursive: true }), late]);
    await access(dirname(path), constants.W_OK);
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isFolder ? [`--${kind} ${path} is a directory: name a file in it.`] : [];
  } catch (error) {
    return [`--${kind} ${path} can't be written to: ${toText(error)}`];
  }
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
