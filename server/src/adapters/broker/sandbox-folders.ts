import { randomInt } from "node:crypto";
import { chmod, chown, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";

/** Users that no system hands out: above those of containers, below the last ones (systemd.io/UIDS-GIDS). */
const FIRST_OWNER = 0x7000_0000;
const OWNERS = 0x10_0000;

/** The folder that a cell keeps everything in, and the user it belongs to. Disposing removes it; never throws. */
export type SandboxFolder = {
  readonly path: string;
  readonly owner: number | undefined;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The folders of all cells of one server. */
export class SandboxFolders {
  readonly #root: string;
  readonly #hasOwners: boolean;
  readonly #owners = new Set<number>();

  /**
   * @param root Where they lie; no other server uses it.
   * @param hasOwners Whether each cell gets a user of its own, which only root can arrange.
   */
  constructor(root: string, hasOwners: boolean) {
    this.#root = root;
    this.#hasOwners = hasOwners;
  }

  /**
   * Makes the root, and removes what a killed server left in it.
   * @throws {Error} When the root is somebody else's: it may stand in a folder that everybody can write to.
   */
  async prepare(): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o711 });
    const stats = await lstat(this.#root);
    if (!stats.isDirectory() || stats.uid !== getuid?.()) {
      throw new Error(`${this.#root} belongs to somebody else: set RBS_WORK_DIR to a folder of this server's own.`);
    }
    // The cells' users have to pass through it, and nobody may list it, whatever the umask says.
    await chmod(this.#root, 0o711);
    const left = await readdir(this.#root);
    await Promise.all(left.map((name) => removeFolder(join(this.#root, name))));
  }

  /** @param subfolders Made in it. @throws {Error} When it can't be made, or is there already; nothing is held then. */
  async make(id: string, subfolders: readonly string[]): Promise<SandboxFolder> {
    const path = join(this.#root, id);
    await mkdir(path, { mode: 0o700 });
    const owner = this.#hasOwners ? this.#takeOwner() : undefined;
    let removing: Promise<void> | undefined;
    const folder = {
      path,
      owner,
      [Symbol.asyncDispose]: () => (removing ??= this.#remove(path, owner)),
    };
    try {
      for (const name of subfolders) await mkdir(join(path, name), { mode: 0o700 });
      if (owner !== undefined) {
        // The folder itself last: until then, none but the server can change what lies in it.
        for (const name of [...subfolders, ""]) await chown(join(path, name), owner, owner);
      }
    } catch (error) {
      await folder[Symbol.asyncDispose]();
      throw error;
    }
    return folder;
  }

  async #remove(path: string, owner: number | undefined): Promise<void> {
    try {
      await removeFolder(path);
    } catch {
      // Somebody still writes to it. The next start removes it; until then its user is not given to another cell.
      return;
    }
    if (owner !== undefined) this.#owners.delete(owner);
  }

  #takeOwner(): number {
    for (;;) {
      const owner = FIRST_OWNER + randomInt(OWNERS);
      if (this.#owners.has(owner)) continue;
      this.#owners.add(owner);
      return owner;
    }
  }
}

/** Processes that were just killed may write for a moment more. */
function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
}
