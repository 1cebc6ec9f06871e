import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import type { BrowserKind } from "../../domain/browser/browser-kind.ts";
import type { Programs } from "../../ports/sandboxes.ts";

/** A browser's binary, rather than the wrapper in /usr/bin, which adds its own arguments. */
export type Executable = {
  readonly path: string;
  /** Folders outside /usr that it reads. */
  readonly reads: readonly string[];
};

export type Executables = ReadonlyMap<BrowserKind, Executable>;

/** Where distributions install them. The first one that exists is used. */
const PATHS: Readonly<Record<BrowserKind, readonly string[]>> = {
  chromium: ["/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"],
  "chrome-headless-shell": [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/opt/chrome-headless-shell/chrome-headless-shell",
  ],
  chrome: ["/opt/google/chrome/chrome"],
};

/** Finds the installed browsers. @param candidates Paths to try, by kind. */
export function findExecutables(candidates = PATHS): Executables {
  const found = new Map<BrowserKind, Executable>();
  for (const [kind, paths] of Object.entries(candidates) as [BrowserKind, readonly string[]][]) {
    const path = paths.find(isExecutable);
    if (path !== undefined) found.set(kind, { path, reads: path.startsWith("/usr/") ? [] : [dirname(path)] });
  }
  return found;
}

/** Browsers as programs for sandboxes, each under the name of its kind. */
export function toBrowserPrograms(executables: Executables): Programs {
  const toProgram = ({ path, reads }: Executable) => ({ command: [path], reads, isBrowser: true, isFirst: false });
  return Object.fromEntries([...executables].map(([kind, executable]) => [kind, toProgram(executable)]));
}

/**
 * Identifies the file at a path. An upgrade of its package puts another file there.
 * @returns Undefined if there is none.
 */
export function identify(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}:${stats.mtimeMs}`;
}

/** When a browser was built: packages keep that as the time of their files. Undefined if there is no such file. */
export function readBuildTime(path: string): Date | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
