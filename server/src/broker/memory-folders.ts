import { existsSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { basename } from "node:path";
import { mountMemory, unmount } from "./libc.ts";
import type { Storage } from "./sandbox-folders.ts";

/** The folder of all sandboxes. In the broker's own mount namespace it is empty, and no other program can see or change it. */
export const ROOT = "/tmp";

/** What a sandbox's programs can store, in bytes and in files. They use memory only for what they store. */
const SIZE_BYTES = 2 ** 30;
const FILES = 2 ** 16;

/** Mounts the root folder. The users of sandboxes can pass through it, but not list it. */
export function prepareRoot(): void {
  mountMemory("sandboxes", ROOT, "size=1m,mode=711");
}

/** Folders in memory, with a limited size. They end with the broker, so a server that is killed leaves none behind. */
export const memoryStorage: Storage = {
  async make(path) {
    await mkdir(path, { mode: 0o700 });
    try {
      mountMemory(basename(path), path, `size=${SIZE_BYTES},nr_inodes=${FILES},mode=700`);
    } catch (error) {
      await rmdir(path);
      throw error;
    }
  },
  async remove(path) {
    if (await unmount(path)) await rmdir(path);
    return !existsSync(path);
  },
};
