import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import type { User } from "./user.ts";

/** Mode bits for searching a folder. */
const [OWNER, GROUP, OTHERS] = [0o100, 0o010, 0o001];

/** A folder that a user can't search, with the folders below it that the user needs. */
export type Closed = { readonly folder: string; readonly needed: readonly string[] };

/**
 * Finds the folders that prevent a user from reaching paths: for each path, the first ancestor the user can't search.
 * @param paths Absolute paths of existing folders.
 */
export function findClosed(paths: readonly string[], user: User): Closed[] {
  const found = new Map<string, Set<string>>();
  for (const path of new Set(paths.flatMap((each) => [each, realpathSync(each)]))) {
    const folder = toAncestors(dirname(path)).find((each) => !canSearch(each, user));
    if (folder !== undefined) found.set(folder, (found.get(folder) ?? new Set()).add(path));
  }
  return [...found].map(([folder, needed]) => ({ folder, needed: [...needed].toSorted() }));
}

/**
 * Makes the needed folders reachable. In this process's mount namespace, each closed folder is replaced with one that
 * all users can search and that contains only the needed folders. The rest of the system isn't affected.
 * @throws {Error} Without root's rights, or in a mount namespace that other programs use.
 */
export function openClosed(all: readonly Closed[]): void {
  const [here, mask] = [process.cwd(), process.umask(0o022)];
  try {
    for (const { folder, needed } of all) {
      const held = needed.map((path) => ({ path, fd: openSync(path, "r") }));
      mount(["-t", "tmpfs", "-o", "size=64k,mode=755", "none", folder]);
      for (const { path, fd } of held) {
        mkdirSync(path, { recursive: true });
        // Without -c, mount would resolve the folder's path, which is now hidden.
        mount(["-c", "--rbind", "/proc/self/fd/3", path], fd);
        closeSync(fd);
      }
    }
    process.chdir(here);
  } finally {
    process.umask(mask);
  }
}

function mount(given: readonly string[], fd?: number): void {
  execFileSync("mount", given, { stdio: ["ignore", "ignore", "inherit", fd ?? "ignore"] });
}

/** Returns a path's ancestors, starting with the root, followed by the path itself. */
function toAncestors(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...toAncestors(parent), path];
}

/** Whether a folder's mode lets a user search it. Ignores access control lists. */
export function canSearch(folder: string, { uid, gid }: User): boolean {
  const stats = statSync(folder);
  const bit = stats.uid === uid ? OWNER : stats.gid === gid ? GROUP : OTHERS;
  return (stats.mode & bit) !== 0;
}
