import { existsSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { FOLDERS, toTextFile } from "../bubblewrap.ts";
import { mountMemory, remountMemory, unmount } from "../kernel/libc.ts";
import type { Storage } from "./sandbox-folders.ts";

/**
 * The folder of all sandboxes. In the broker's own mount namespace it is empty, and no other program can see or change
 * it.
 */
export const ROOT = "/tmp";

/** The files that a sandbox's programs can create. */
export const FILES = 2 ** 16;

/** What programs of a sandbox can have in shared memory, unless their other bounds are lower. */
const SHARED_MEMORY_BYTES = 2 ** 30;

/** Mounts the root folder. The users of sandboxes can pass through it, but not list it. */
export function prepareRoot(): void {
  mountMemory("sandboxes", ROOT, "size=1m,mode=711");
}

/** Stores a text that programs of all sandboxes can read. */
export async function storeText(text: string): Promise<void> {
  await writeFile(toTextFile(ROOT, text), text, { mode: 0o444 });
}

/** Makes the shared memory of a sandbox, in its folder. It is unmounted with the folder. */
export async function mountShared(path: string): Promise<void> {
  const folder = join(path, FOLDERS.shared);
  await mkdir(folder);
  mountMemory(FOLDERS.shared, folder, `size=${SHARED_MEMORY_BYTES},nr_inodes=${FILES},mode=1777`);
}

/**
 * Folders in memory. They end with the broker, so a server that is killed leaves none behind.
 * @param sizeBytes What a sandbox's programs can store in one. They use memory only for what they store.
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

/** Removes a folder with the file system that is mounted there, if one is. @returns Whether nothing is left. */
export async function removeMounted(path: string): Promise<boolean> {
  await unmount(path);
  await rmdir(path).catch(() => undefined);
  return !existsSync(path);
}
