import { accessSync, constants } from "node:fs";
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
