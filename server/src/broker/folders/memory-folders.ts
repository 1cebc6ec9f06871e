import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { FOLDERS, toTextFile } from "../bubblewrap.ts";
import { mountMemory, remountMemory, unmount } from "../kernel/libc.ts";
import type { Storage } from "./sandbox-folders.ts";

/** The folder that contains all sandboxes. The broker's mount namespace hides it from other programs. */
export const ROOT = "/tmp";

/** Maximum number of files in a sandbox. */
export const FILES = 2 ** 16;

/** Maximum shared memory of a sandbox, unless its memory limit is lower. */
const SHARED_MEMORY_BYTES = 2 ** 30;

/** Mounts the root folder, which sandbox users can traverse but not list. */
export function prepareRoot(): void {
  mountMemory("sandboxes", ROOT, "size=1m,mode=711");
}

/** Stores text that programs in all sandboxes can read. */
export async function storeText(text: string): Promise<void> {
  await writeFile(toTextFile(ROOT, text), text, { mode: 0o444 });
}

/** Mounts a sandbox's shared memory in its folder. Unmounting the folder also unmounts the memory. */
export async function mountShared(path: string): Promise<void> {
  const folder = join(path, FOLDERS.shared);
  await mkdir(folder);
  mountMemory(FOLDERS.shared, folder, `size=${SHARED_MEMORY_BYTES},nr_inodes=${FILES},mode=1777`);
}

/**
 * Stores folders in memory, where they disappear when the broker ends, so a killed server leaves none behind.
 * @param sizeBytes Size limit of a folder's content. Only the content uses memory.
 */
export function newMemoryStorage(sizeBytes: number): Storage {
  return {
    async make(path) {
      await mkdir(path, { mode: 0o700 });
      try {
        mountMemory(basename(path), path, `size=${sizeBytes},nr_inodes=${FILES},mode=700`);
        await mountShared(path);
      } catch (error) {
        await removeMounted(path);
        throw error;
      }
    },
    resize: (path, bytes) => remountMemory(path, `size=${bytes}`),
    remove: removeMounted,
  };
}

/** Removes a folder, and unmounts its file system if one is mounted. @returns Whether the folder no longer exists. */
export async function removeMounted(path: string): Promise<boolean> {
  await unmount(path);
  await rmdir(path).catch(() => undefined);
  return !existsSync(path);
}
