import { chmod, chown, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";

/**
 * Creates the folder that contains all sandbox folders of this server, and removes what a killed server left there.
 * @throws {Error} When it belongs to another user: its parent folder may be writable for all users.
 */
export async function prepareRoot(root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o711 });
  const stats = await lstat(root);
  if (!stats.isDirectory() || stats.uid !== getuid?.()) {
    throw new Error(`${root} belongs to another user: set RBS_WORK_DIR to a folder of this server's own.`);
  }
  // Set explicitly because of the umask: sandbox users have to pass through this folder and must not list it.
  await chmod(root, 0o711);
  const left = await readdir(root);
  await Promise.all(left.map((name) => removeFolder(join(root, name))));
}

/** Gives a folder two subfolders, `home` and `tmp`, and an owner. @param owner Undefined: the server's own user. */
export async function fillFolder(path: string, owner: number | undefined): Promise<void> {
  const subfolders = [join(path, "home"), join(path, "tmp")];
  for (const subfolder of subfolders) await mkdir(subfolder, { mode: 0o700 });
  if (owner === undefined) return;
  // The outer folder comes last: until then, only the server can change its content.
  for (const each of [...subfolders, path]) await chown(each, owner, owner);
}

/** Retries for a moment: processes that were just killed may still be writing. */
export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}
