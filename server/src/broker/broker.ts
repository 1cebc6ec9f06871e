import { randomInt } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DEVTOOLS_SOCKET, type Program, toBubblewrapArguments } from "./bubblewrap.ts";
import { type HeldFile, type HeldSocket, createFile, holdFile, holdSocket } from "./files.ts";
import { type OnStuck, fillFolder, prepareRoot, removeFolder } from "./folders.ts";
import { type RunningProgram, startProgram } from "./start-program.ts";

/** User ids that systems don't assign: above those of containers, below the highest ones (systemd.io/UIDS-GIDS). */
const FIRST_OWNER = 0x7000_0000;
const OWNERS = 0x10_0000;

/** Longest path of a Unix socket, and longest id of a sandbox, in bytes. */
const MAX_PATH = 107;
const MAX_ID = 36;

export type BrokerOptions = {
  /** The folder that contains all sandbox folders. Only one server uses it. */
  readonly root: string;
  /** Whether each sandbox gets its own unprivileged user; only root can do that. */
  readonly hasOwners: boolean;
  /** Whether programs run in bubblewrap; otherwise they run directly on the host. */
  readonly isIsolated: boolean;
  readonly onStuck: OnStuck;
};

/** Creates the folders, files, sockets and programs of sandboxes: everything that needs elevated permissions. */
export class Broker {
  readonly #options: BrokerOptions;
  /** Users by the id of their sandbox. A folder that can't be removed keeps its owner, so that no other sandbox gets it. */
  readonly #owners = new Map<string, number | undefined>();

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  /**
   * Creates the root folder, and removes what a killed server left in it. The kernel has ended that server's programs.
   * @throws {Error} If the root can't be used.
   */
  async prepare(): Promise<void> {
    const { root, isIsolated, onStuck } = this.#options;
    const longest = join(root, "x".repeat(MAX_ID), "home", DEVTOOLS_SOCKET);
    if (isIsolated && Buffer.byteLength(longest) > MAX_PATH) {
      throw new Error(`The path ${root} is too long for the sockets in it. Set RBS_WORK_DIR to a shorter path.`);
    }
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

  /** @throws {Error} If the program can't be started. */
  async start(id: string, program: Program): Promise<RunningProgram> {
    const [folder, owner] = [this.#toHome(id), this.#ownerOf(id)];
    const path = this.#toPath(id);
    if (!this.#options.isIsolated) {
      const environment = { ...program.environment, TMPDIR: join(path, "tmp") };
      return startProgram({ command: program.command, arguments: program.arguments, environment, folder, owner });
    }
    const environment = { PATH: "/usr/bin:/bin" };
    return startProgram({
      command: "bwrap",
      arguments: toBubblewrapArguments(path, program),
      environment,
      folder,
      owner,
    });
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
