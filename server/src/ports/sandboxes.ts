import type { Socket } from "node:net";

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

/** What a program writes, as far as somebody may want to know it. */
export interface ProcessOutput {
  /** The last 4000 characters of it. */
  readonly tail: string;
  /** Resolves with the first match in what was and will be written; never, if there is none. */
  find(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A program that runs. Disposing kills it with everything it started, and waits for that; never throws. */
export interface SandboxProcess extends AsyncDisposable {
  /** What it says about itself: its standard error. */
  readonly log: ProcessOutput;
  /** What it answers: its standard output. */
  readonly output: ProcessOutput;
  /** Resolves when it and all it started are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /**
   * Waits for the sign that a start went well.
   * @param timeoutMs Time allowed until then.
   * @returns What `sign` resolves with.
   * @throws {Error} When the sign fails, or the program ends before, or takes too long: with the tail of its log.
   *   `signal.reason` when that is aborted.
   */
  whenUp<T>(sign: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T>;
}

/**
 * A Unix socket in a cell's folder, held itself: what its name leads to is up to whoever can write there. Disposing lets
 * it go; never throws.
 */
export interface SandboxSocket extends AsyncDisposable {
  /** @throws {Error} When nothing listens; `signal.reason` when that is aborted. */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** A place for the processes of one browser, with a folder and a user of its own. Disposing removes it; never throws. */
export interface Sandbox extends AsyncDisposable {
  /** The cell's folder, as the server sees it. */
  readonly folder: string;
  /** The same folder, as programs in the cell see it; they may write to it. */
  readonly home: string;
  /** Whether its programs see a file system and a network of their own, rather than the host's. */
  readonly isIsolated: boolean;
  /** The port, as programs in the cell see it, that the browser's DevTools has to listen on. */
  readonly devtoolsPort: number;
  /**
   * Opens the endpoint of the browser's proxy; call it before the browser runs.
   * @param accept Gets each connection that is made to the endpoint, and owns the socket.
   * @throws {Error} When the endpoint can't be opened; nothing is held then.
   */
  openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint>;
  /**
   * Writes a file that none but the cell's programs read, before any of them is run: from then on, names in the cell's
   * folder lead wherever they want.
   * @param name In the cell's folder, with the folders it lies in, which are made: `folder/file`.
   * @throws {Error} When it can't be written, or is there already; links are not followed.
   */
  writeFile(name: string, content: string | Uint8Array): Promise<void>;
  /**
   * Starts a program.
   * @throws {Error} When it can't be started.
   */
  run(program: Program): Promise<SandboxProcess>;
  /**
   * Takes hold of a socket that a program of the cell listens on.
   * @param name Its name in the cell's folder.
   * @throws {Error} When there is no socket of that name.
   */
  holdSocket(name: string): Promise<SandboxSocket>;
  /**
   * Connects to the DevTools port, as soon as the ways in and out are open.
   * @throws {Error} When nothing listens there; `signal.reason` when that is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** Where a browser reaches its proxy. Disposing takes no more connections, and leaves the accepted ones open; never throws. */
export interface ProxyEndpoint extends Disposable {
  /** The endpoint as programs in the sandbox see it: `http://host:port`. */
  readonly url: string;
}

/** How browsers are kept apart from each other and from the host. */
export interface Sandboxes {
  /**
   * @param id Names the cell's folder; no other cell has it now.
   * @throws {Error} When the folder can't be made; nothing is held then.
   */
  newSandbox(id: string): Promise<Sandbox>;
  /**
   * Makes ready for cells, and removes the folders that a killed server left; its processes died with it.
   * @throws {Error} When the place for the folders can't be used.
   */
  prepare(): Promise<void>;
}
