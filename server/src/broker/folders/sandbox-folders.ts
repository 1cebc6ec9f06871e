import { randomInt } from "node:crypto";
import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { FOLDERS } from "../bubblewrap.ts";
import { type HeldFile, type HeldSocket, createFile, holdFile, holdSocket } from "./files.ts";

/** User ids that systems don't assign: above the ids of containers, below the highest ones (systemd.io/UIDS-GIDS). */
const FIRST_OWNER = 0x7000_0000;
const OWNERS = 0x10_0000;

/** Where the folders of sandboxes lie: in memory, or on disk. */
export type Storage = {
  /** Creates a folder that only this process's user can enter. @throws {Error} If it exists. */
  make(path: string): Promise<void>;
  /** Changes what can be stored in a folder, if that lies in memory. @throws {Error} If more is stored there. */
  resize(path: string, sizeBytes: number): void;
  /** Removes a folder with all it contains; nothing happens if it doesn't exist. @returns Whether nothing is left. */
  remove(path: string): Promise<boolean>;
};

type FolderOptions = {
  /** The folder that contains all sandbox folders. Only one server uses it. */
  readonly root: string;
  /** Whether each sandbox gets its own unprivileged user; only root can do that. */
  readonly hasOwners: boolean;
  readonly storage: Storage;
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
   * Creates a sandbox's folder, with a `home` and a `tmp` in it.
   * @param id Not in use by another sandbox.
   * @throws {Error} If the folder exists or can't be created. Releases everything first.
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
      // The outer folder comes last: until then, only the server can change its content.
      if (owner !== undefined) await chown(path, owner, owner);
    } catch (error) {
      await this.remove(id);
      throw error;
    }
  }

  /** @throws {Error} If the sandbox doesn't exist, or its programs have stored more. */
  resize(id: string, sizeBytes: number): void {
    this.#options.storage.resize(this.folderOf(id).path, sizeBytes);
  }

  /** Creates a file that only the sandbox's user can read. Doesn't follow links or overwrite files. */
  async writeFile(id: string, name: string, content: string | Uint8Array): Promise<void> {
    const { home, owner } = this.folderOf(id);
    await using file = await createFile(home, name, owner);
    await file.writeFile(content);
  }

  /** Creates an empty file like `writeFile`, and keeps it open for later changes. */
  async holdFile(id: string, name: string): Promise<HeldFile> {
    const { home, owner } = this.folderOf(id);
    return holdFile(await createFile(home, name, owner));
  }

  /** @throws {Error} If the sandbox's folder has no socket with that name. */
  holdSocket(id: string, name: string): Promise<HeldSocket> {
    return holdSocket(join(this.folderOf(id).home, name));
  }

  /**
   * @param path Relative to the folder that holds the sandbox's home.
   * @throws {Error} If there is no socket at that path.
   */
  holdListener(id: string, path: string): Promise<HeldSocket> {
    return holdSocket(join(this.folderOf(id).path, path));
  }

  /**
   * Where programs of a sandbox run, and as which user; undefined: the server's own.
   * @throws {Error} If the sandbox doesn't exist: its program would run as the server's own user.
   */
  folderOf(id: string): { readonly path: string; readonly home: string; readonly owner: number | undefined } {
    if (!this.#owners.has(id)) throw new Error(`Sandbox ${id} doesn't exist.`);
    const path = this.#toPath(id);
    return { path, home: join(path, FOLDERS.home), owner: this.#owners.get(id) };
  }

  /** Removes a sandbox's folder. Calling it again has no effect; never throws. */
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
