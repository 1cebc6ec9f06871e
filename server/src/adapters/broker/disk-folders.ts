import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Storage } from "../../broker/folders/sandbox-folders.ts";

const run = promisify(execFile);

/** Reports a folder that could not be removed. */
export type OnStuck = (path: string, error: unknown) => void;

/** Folders that a start could not remove get this prefix. Each start tries again. */
const STUCK = "stuck-";

const REMOVE_ATTEMPTS = 5;
const RETRY_MS = 20;

/**
 * Creates the folder that contains all sandbox folders of this server, and removes what a killed server left there.
 * Moves aside what can't be removed, so that it doesn't prevent the start.
 * @throws {Error} When it belongs to another user: its parent folder may be writable for all users.
 */
export async function prepareRoot(root: string, onStuck: OnStuck): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o711 });
  const stats = await lstat(root);
  if (!stats.isDirectory() || stats.uid !== getuid?.()) {
    throw new Error(`${root} belongs to another user: set RBS_WORK_DIR to a folder of this server's own.`);
  }
  // Set explicitly because of the umask: sandbox users have to pass through this folder and must not list it.
  await chmod(root, 0o711);
  const left = await readdir(root);
  await Promise.all(
    left.map(async (name) => {
      const path = join(root, name);
      if (await removeFolder(path, onStuck)) return;
      if (!name.startsWith(STUCK)) await rename(path, join(root, STUCK + name)).catch(() => {});
    }),
  );
}

/** Folders on the disk. */
export function newDiskStorage(onStuck: OnStuck): Storage {
  return {
    make: (path) => mkdir(path, { mode: 0o700 }),
    resize() {},
    remove: (path) => removeFolder(path, onStuck),
  };
}

/**
 * Removes a folder with all it contains. Retries for a moment: processes that were just killed may still be writing.
 *
 * `rm` works relative to descriptors of folders, so paths of any length and depth can be removed, and a folder that is
 * replaced by a link during the removal leads nowhere else. Node's own `rm` uses whole paths.
 * @returns Whether nothing is left.
 */
async function removeFolder(path: string, onStuck: OnStuck): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      await run("rm", ["-rf", "--", path]);
      return true;
    } catch (error) {
      if (attempt === REMOVE_ATTEMPTS) {
        onStuck(path, error);
        return false;
      }
      await wait(RETRY_MS);
    }
  }
}
