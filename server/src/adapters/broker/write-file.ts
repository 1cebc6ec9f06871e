import { lchown, lstat, mkdir, open } from "node:fs/promises";
import { join } from "node:path";

/** Makes a file of the cell's user, and the folders it lies in. Follows no link, and overwrites nothing. */
export async function writeSandboxFile(
  { folder, owner }: { readonly folder: string; readonly owner: number | undefined },
  name: string,
  content: string | Uint8Array,
): Promise<void> {
  let path = folder;
  for (const parent of name.split("/").slice(0, -1)) {
    path = join(path, parent);
    await makeFolder(path, owner);
  }
  await using file = await open(join(folder, name), "wx", 0o600);
  if (owner !== undefined) await file.chown(owner, owner);
  await file.writeFile(content);
}

async function makeFolder(path: string, owner: number | undefined): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((await lstat(path)).isDirectory()) return;
    throw error;
  }
  if (owner !== undefined) await lchown(path, owner, owner);
}
