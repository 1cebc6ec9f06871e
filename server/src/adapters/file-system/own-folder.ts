import { existsSync } from "node:fs";
import { lstat, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { geteuid } from "node:process";

/**
 * Creates a folder for this server alone. The folder may exist, and may be a link to a folder.
 * @param mode The mode of a new folder.
 * @throws {Error} If the path isn't a folder, or belongs to another user, as can happen in `/tmp`.
 */
export async function prepareOwnFolder(path: string, mode: number): Promise<void> {
  await makeFolder(path, mode);
  if (!(await stat(path)).isDirectory()) throw toUnusable(path, new Error("The path is a file."));
  for (const stats of [await lstat(path), await stat(path)]) {
    const user = geteuid?.();
    if (stats.uid !== user)
      throw new Error(
        `${path} belongs to user ${stats.uid}, but the server runs as user ${user}. Change the owner with chown -R, or set RBS_USER to the owner.`,
      );
  }
}

/** Like a recursive `mkdir`, but fails instead of hanging where folders can't be created, such as in /proc. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || existsSync(dirname(path))) throw toUnusable(path, error);
    await makeFolder(dirname(path), mode);
    await mkdir(path, { mode }).catch((cause: unknown) => {
      throw toUnusable(path, cause);
    });
  }
}

function toUnusable(path: string, cause: unknown): Error {
  return new Error(`The folder ${path} can't be created: set RBS_DATA_DIR or RBS_WORK_DIR to another folder.`, {
    cause,
  });
}
