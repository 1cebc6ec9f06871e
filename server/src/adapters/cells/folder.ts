import { randomInt } from "node:crypto";
import { chown, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { getuid } from "node:process";

/** Users that no system hands out: above all ranges of /etc/login.defs and systemd, below those of container runtimes. */
const FIRST_OWNER = 300_000;
const OWNERS = 200_000;

/** The folder that a cell keeps everything in, and the user it belongs to. */
export type CellFolder = {
  readonly path: string;
  readonly owner: number | undefined;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The folders of all cells of one server. */
export class CellFolders {
  readonly #root: string;
  readonly #canGiveAway: boolean;
  readonly #owners = new Set<number>();

  /**
   * @param root Where they lie; no other server uses it.
   * @param canGiveAway Whether each cell gets a user of its own, which only root can arrange.
   */
  constructor(root: string, canGiveAway: boolean) {
    this.#root = root;
    this.#canGiveAway = canGiveAway;
  }

  /**
   * Makes the root, and removes what a killed server left in it.
   * @throws {Error} When the root is somebody else's: it may stand in a folder that everybody can write to.
   */
  async prepare(): Promise<void> {
    // The cells' users have to pass through it, and nobody may list it.
    await mkdir(this.#root, { recursive: true, mode: 0o711 });
    const stats = await lstat(this.#root);
    if (!stats.isDirectory() || (getuid !== undefined && stats.uid !== getuid())) {
      throw new Error(`${this.#root} belongs to somebody else: set RBS_WORK_DIR to a folder of this server's own.`);
    }
    const left = await readdir(this.#root);
    await Promise.all(left.map((name) => rm(join(this.#root, name), { recursive: true, force: true, maxRetries: 5 })));
  }

  /** @param subfolders Made in it, in this order. */
  async make(id: string, subfolders: readonly string[]): Promise<CellFolder> {
    const path = join(this.#root, id);
    const owner = this.#canGiveAway ? this.#takeOwner() : undefined;
    const remove = async (): Promise<void> => {
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
      if (owner !== undefined) this.#owners.delete(owner);
    };
    try {
      for (const part of [path, ...subfolders.map((name) => join(path, name))]) {
        await mkdir(part, { mode: 0o700 });
        if (owner !== undefined) await chown(part, owner, owner);
      }
    } catch (error) {
      await remove();
      throw error;
    }
    return { path, owner, [Symbol.asyncDispose]: remove };
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
