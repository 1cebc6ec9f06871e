import { lstat, mkdir, stat } from "node:fs/promises";
import { getuid } from "node:process";

/**
 * Makes a folder of this server's own, or finds it again; a link to one will do.
 * @param mode Who may use it, when it is made here.
 * @throws {Error} When the path is somebody else's, as can be in a folder that everybody writes to, or no folder.
 */
export async function prepareOwnFolder(path: string, mode: number): Promise<void> {
  await mkdir(path, { recursive: true, mode });
  for (const stats of [await lstat(path), await stat(path)]) {
    if (getuid !== undefined && stats.uid !== getuid()) {
      throw new Error(`${path} belongs to another user of this machine.`);
    }
  }
}
