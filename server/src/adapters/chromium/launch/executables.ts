import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { BrowserKind } from "../../../domain/browser/browser-kind.ts";
import type { Programs } from "../../../ports/sandboxes.ts";
import { POLICY_FILES } from "./policies.ts";

/** A browser's binary, not the wrapper in /usr/bin, which adds its own arguments. */
export type Executable = {
  readonly path: string;
  /** The browser's own folder, which contains no interpreters. The browser can't see programs in other folders. */
  readonly reads: readonly string[];
};

const VERSION_TIMEOUT_MS = 5000;

export type Executables = ReadonlyMap<BrowserKind, Executable>;

/** Locations of browsers in Linux distributions. The first that exists is used. */
const PATHS: Readonly<Record<BrowserKind, readonly string[]>> = {
  chromium: ["/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"],
  "chrome-headless-shell": [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/opt/chrome-headless-shell/chrome-headless-shell",
  ],
  chrome: ["/opt/google/chrome/chrome"],
};

/** Finds the installed browsers. @param candidates Paths to try for each kind. */
export function findExecutables(candidates = PATHS): Executables {
  const found = new Map<BrowserKind, Executable>();
  for (const [kind, paths] of Object.entries(candidates) as [BrowserKind, readonly string[]][]) {
    const path = paths.find(isExecutable);
    if (path !== undefined) found.set(kind, { path, reads: [dirname(path)] });
  }
  return found;
}

/** Returns browsers as programs for sandboxes, named by kind. */
export function toBrowserPrograms(executables: Executables): Programs {
  const toProgram = ({ path, reads }: Executable) => ({
    command: [path],
    reads,
    files: POLICY_FILES,
    isBrowser: true,
    isFirst: false,
  });
  return Object.fromEntries([...executables].map(([kind, executable]) => [kind, toProgram(executable)]));
}

/** Identifies the file at a path; a package upgrade changes the result. @returns Undefined if the file is missing. */
export function identify(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}:${stats.mtimeMs}`;
}

/** Returns a browser's build time, which is the file's modification time. Undefined if the file is missing. */
export function readBuildTime(path: string): Date | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime;
}

/** Runs a browser to read its version, such as `156.0.8078.79`. Undefined if the browser doesn't print a version. */
export async function readVersion(path: string, signal?: AbortSignal): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], {
      timeout: VERSION_TIMEOUT_MS,
      killSignal: "SIGKILL",
      env: {},
      ...(signal && { signal }),
    });
    return /\d+(?:\.\d+){3}/.exec(stdout)?.[0];
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
