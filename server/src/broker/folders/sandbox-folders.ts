import { randomInt } from "node:crypto";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FOLDERS } from "../bubblewrap.ts";
import { type HeldFile, type HeldSocket, createFile, holdFile, holdSocket } from "./files.ts";

/** User ids that systems don't assign: above containers' ids, below the highest ids (systemd.io/UIDS-GIDS). */
const FIRST_OWNER = 0x7000_0000;
const OWNERS = 0x10_0000;

/** Stores sandboxes' folders in memory or on disk. */
export type Storage = {
  /** Creates a folder that only this process's user can enter. @throws {Error} If it exists. */
  make(path: string): Promise<void>;
  /** Changes the size limit of a folder in memory. @throws {Error} If the content is larger than `sizeBytes`. */
  resize(path: string, sizeBytes: number): void;
  /** Removes a folder with its content, if it exists. @returns Whether the folder no longer exists. */
  remove(path: string): Promise<boolean>;
};

type FolderOptions = {
  /** The folder that contains all sandbox folders. Only one server uses it. */
  readonly root: string;
  /** Whether each sandbox has its own unprivileged user, which requires root. */
  readonly hasOwners: boolean;
  readonly storage: Storage;
};

/** Manages sandboxes' folders, including their owners and files. */
export class SandboxFolders {
  readonly #options: FolderOptions;
  /** Each sandbox's user. If a folder can't be removed, its user isn't assigned again. */
  readonly #owners = new Map<string, number | undefined>();

  constructor(options: FolderOptions) {
    this.#options = options;
  }

  /**
   * Creates a sandbox's folder with `home` and `tmp` folders.
   * @param id Must be unique.
   * @throws {Error} If the folder exists or can't be created. Everything is released first.
   */
  async makeFolder(id: string): Promise<void> {
    const path = this.#toPath(id);
    await this.#options.storage.make(path);
    const owner = this.#options.hasOwners ? this.#chooseOwner() : undefined;
    this.#owners.set(id, owner);
    try {
      for (const name of [FOLDERS.home, FOLDERS.temporary]) {
        await mkdir(join(path, name), { mode: 0o700 });
        if (owner !== undefined) await chown(join(path, name), owner, owner);
      }
      // The last step, because the sandbox's user can change the folder's content afterwards.
      if (owner !== undefined) await chown(path, owner, owner);
    } catch (error) {
      await this.remove(id);
      throw error;
    }
  }

  /** @throws {Error} If the sandbox doesn't exist, or its content exceeds the new size. */
  resize(id: string, sizeBytes: number): void {
    this.#options.storage.resize(this.folderOf(id).path, sizeBytes);
  }

  /** Creates a file that only the sandbox's user can read. Doesn't follow links or overwrite files. */
  async writeFile(id: string, name: string, content: string | Uint8Array): Promise<void> {
    const { home, owner } = this.folderOf(id);
    await using file = await createFile(home, name, owner);
    await file.writeFile(content);
  }

  /** Creates an empty file like `writeFile` does, and keeps it open for later changes. */
  async holdFile(id: string, name: string): Promise<HeldFile> {
    const { home, owner } = this.folderOf(id);
    return holdFile(await createFile(home, name, owner));
  }

  /** @throws {Error} If the sandbox's folder has no socket with that name. */
  holdSocket(id: string, name: string): Promise<HeldSocket> {
    return holdSocket(join(this.folderOf(id).home, name));
  }

  /** @param path Relative to the sandbox's folder, not to its home. @throws {Error} If the path isn't a socket. */
  holdListener(id: string, path: string): Promise<HeldSocket> {
    return holdSocket(join(this.folderOf(id).path, path));
  }

  /**
   * Returns the folders in which a sandbox's programs run, and the programs' user (undefined for the server's user).
   * @throws {Error} If the sandbox doesn't exist: otherwise, its program would run as the server's user.
   */
  folderOf(id: string): { readonly path: string; readonly home: string; readonly owner: number | undefined } {
    if (!this.#owners.has(id)) throw new Error(`Sandbox ${id} doesn't exist.`);
    const path = this.#toPath(id);
    return { path, home: join(path, FOLDERS.home), owner: this.#owners.get(id) };
  }

  /** Removes a sandbox's folder. Calling this again has no effect; never throws. */
  async remove(id: string): Promise<void> {
    if (await this.#options.storage.remove(this.#toPath(id))) this.#owners.delete(id);
  }

  #toPath(id: string): string {
    return join(this.#options.root, id);
  }

  #chooseOwner(): number {
    const used = new Set(this.#owners.values());
    for (;;) {
      const owner = FIRST_OWNER + randomInt(OWNERS);
      if (!used.has(owner)) return owner;
    }
  }
}
