import { randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type HeldFile, type HeldSocket, createFile, holdFile, holdSocket } from "./files.ts";
import { type OnStuck, fillFolder, prepareRoot, removeFolder } from "./folders.ts";

/** User ids that systems don't assign: above those of containers, below the highest ones (systemd.io/UIDS-GIDS). */
const FIRST_OWNER = 0x7000_0000;
const OWNERS = 0x10_0000;

export type FolderOptions = {
  /** The folder that contains all sandbox folders. Only one server uses it. */
  readonly root: string;
  /** Whether each sandbox gets its own unprivileged user; only root can do that. */
  readonly hasOwners: boolean;
  readonly onStuck: OnStuck;
};

/** The folders of sandboxes, with their owners and files. */
export class SandboxFolders {
  readonly #options: FolderOptions;
  /** Each sandbox's user. While its folder can't be removed, no other sandbox gets that user. */
  readonly #owners = new Map<string, number | undefined>();

  constructor(options: FolderOptions) {
    this.#options = options;
  }

  /**
   * Creates the root folder, and removes what a killed server left in it. The kernel has ended that server's programs.
   * @throws {Error} If the root can't be used.
   */
  async prepare(): Promise<void> {
    const { root, onStuck } = this.#options;
    await prepareRoot(root, onStuck);
  }

  /**
   * Creates a sandbox's folder.
   * @param id Not in use by another sandbox.
   * @returns The path of its `home`, which programs may write to.
   * @throws {Error} If the folder exists or can't be created. Releases everything first.
   */
  async makeFolder(id: string): Promise<string> {
    const path = this.#toPath(id);
    await mkdir(path, { mode: 0o700 });
    const owner = this.#options.hasOwners ? this.#chooseOwner() : undefined;
    this.#owners.set(id, owner);
    try {
      await fillFolder(path, owner);
    } catch (error) {
      await this.remove(id);
      throw error;
    }
    return join(path, "home");
  }

  /** Creates a file that only the sandbox's user can read. Doesn't follow links or overwrite files. */
  async writeFile(id: string, name: string, content: string | Uint8Array): Promise<void> {
    await using file = await createFile(this.#toHome(id), name, this.#ownerOf(id));
    await file.writeFile(content);
  }

  /** Creates an empty file like `writeFile`, and keeps it open for later changes. */
  async holdFile(id: string, name: string): Promise<HeldFile> {
    return holdFile(await createFile(this.#toHome(id), name, this.#ownerOf(id)));
  }

  /** @throws {Error} If the sandbox's folder has no socket with that name. */
  holdSocket(id: string, name: string): Promise<HeldSocket> {
    return holdSocket(join(this.#toHome(id), name));
  }

  /** Where programs of a sandbox run, and as which user; undefined: the server's own. */
  placeOf(id: string): { readonly path: string; readonly home: string; readonly owner: number | undefined } {
    return { path: this.#toPath(id), home: this.#toHome(id), owner: this.#ownerOf(id) };
  }

  /** Removes a sandbox's folder. Calling it again has no effect. Never throws: the next start tries again. */
  async remove(id: string): Promise<void> {
    if (await removeFolder(this.#toPath(id), this.#options.onStuck)) this.#owners.delete(id);
  }

  #toPath(id: string): string {
    return join(this.#options.root, id);
  }

  #toHome(id: string): string {
    return join(this.#toPath(id), "home");
  }

  /** Throws for an unknown sandbox, because its program would run as the server's own user. */
  #ownerOf(id: string): number | undefined {
    if (!this.#owners.has(id)) throw new Error(`Sandbox ${id} doesn't exist.`);
    return this.#owners.get(id);
  }

  #chooseOwner(): number {
    const used = new Set(this.#owners.values());
    for (;;) {
      const owner = FIRST_OWNER + randomInt(OWNERS);
      if (!used.has(owner)) return owner;
    }
  }
}
