import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { Storage } from "../../broker/folders/sandbox-folders.ts";

const run = promisify(execFile);

export type OnStuck = (path: string, error: unknown) => void;

/** Name prefix of folders that couldn't be removed. At each start, the server tries again. */
const STUCK = "stuck-";

const REMOVE_ATTEMPTS = 5;
const RETRY_MS = 20;

/**
 * Creates the folder that contains all sandbox folders of this server, and removes files left by a killed server. Files
 * that can't be removed are renamed, so that they don't prevent startup.
 * @throws {Error} If the folder belongs to another user, which is possible if all users can write to its parent.
 */
export async function prepareRoot(root: string, onStuck: OnStuck): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o711 });
  const stats = await lstat(root);
  if (!stats.isDirectory() || stats.uid !== getuid?.()) {
    throw new Error(`${root} belongs to another user: set RBS_WORK_DIR to a folder of this server's own.`);
  }
  // Set explicitly because of the umask. Sandbox users may traverse this folder, but not list it.
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

/** Stores folders on disk. */
export function newDiskStorage(onStuck: OnStuck): Storage {
  return {
    make: (path) => mkdir(path, { mode: 0o700 }),
    resize() {},
    remove: (path) => removeFolder(path, onStuck),
  };
}

/**
 * Removes a folder and its contents. Retries a few times, because recently killed processes may still be writing.
 *
 * Unlike Node's `rm`, the program `rm` works relative to folder descriptors. It therefore removes paths of any length,
 * and doesn't follow links that replace a folder during the removal.
 * @returns Whether the folder was removed.
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
