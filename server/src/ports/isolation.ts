import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Doorway, EgressWay } from "./egress.ts";

/** A program of a cell. It sees nothing of the server's environment. */
export type Program = {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Folders of the host that it reads besides the system's. */
  readonly reads: readonly string[];
  /** Whether it is the browser, and so gets the cell's ways in and out. */
  readonly isBrowser: boolean;
};

export type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A program that runs. Disposing kills it with everything it started, and waits for that; never throws. */
export interface CellProcess extends AsyncDisposable {
  readonly pid: number;
  /** What it says about itself; somebody has to read it. */
  readonly stderr: Readable;
  /** What it writes to its file descriptor 3. */
  readonly result: Readable;
  /** Resolves when the ways in and out take connections; never, if the program ends before. */
  readonly waysOpen: Promise<void>;
  /** Resolves when all its processes are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
}

/** A place for the processes of one browser, with a folder and a user of its own. Disposing removes it; never throws. */
export interface Cell extends AsyncDisposable {
  /** The cell's folder, as the server sees it. */
  readonly folder: string;
  /** The same folder, as programs in the cell see it; they may write to it. */
  readonly home: string;
  /** Who its programs run as; undefined: as the server does. */
  readonly owner: number | undefined;
  /** The port, as programs in the cell see it, that the browser's DevTools has to listen on. */
  readonly devtoolsPort: number;
  /** Where the way out has to listen. */
  readonly doorway: Doorway;
  /** The way out as the browser is told about it: `http://host:port`. */
  toProxyUrl(way: EgressWay): string;
  /**
   * Starts a program.
   * @throws {Error} When it can't be started.
   */
  run(program: Program): Promise<CellProcess>;
  /**
   * Connects to the DevTools port.
   * @throws {Error} When nothing listens, or `signal` is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** How browsers are kept apart from each other and from the host. */
export interface Isolation {
  /** @param id Names the cell's folder. */
  newCell(id: string): Promise<Cell>;
  /**
   * Makes ready for cells, and removes the folders that a killed server left; its processes died with it.
   * @throws {Error} When the place for the folders can't be used.
   */
  prepare(): Promise<void>;
}
