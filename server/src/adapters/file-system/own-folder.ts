import { lstat, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { getuid } from "node:process";

/**
 * Makes a folder of this server's own, or finds it again; a link to one will do.
 * @param mode Who may use it, when it is made here.
 * @throws {Error} When the path is somebody else's, as can be in a folder that everybody writes to, or no folder.
 */
export async function prepareOwnFolder(path: string, mode: number): Promise<void> {
  await makeFolder(path, mode);
  if (!(await stat(path)).isDirectory()) throw toUnusable(path, new Error("It is a file."));
  for (const stats of [await lstat(path), await stat(path)]) {
    if (getuid !== undefined && stats.uid !== getuid()) {
      throw new Error(`${path} belongs to another user of this machine.`);
    }
  }
}

/** As `mkdir` with `recursive` does; but that one never ends where a file system takes no folders, as /proc. */
async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || (await exists(dirname(path)))) throw toUnusable(path, error);
    await makeFolder(dirname(path), mode);
    await mkdir(path, { mode }).catch((cause: unknown) => {
      throw toUnusable(path, cause);
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function toUnusable(path: string, cause: unknown): Error {
  return new Error(`The folder ${path} can't be made: set RBS_DATA_DIR or RBS_WORK_DIR to another one.`, { cause });
}
