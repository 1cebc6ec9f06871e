import type { Socket } from "node:net";
import type { BrowserBounds } from "../domain/machine/bounds.ts";

/** A program that can run in a sandbox. */
type InstalledProgram = {
  /** The program's path or name, followed by its first arguments. */
  readonly command: readonly string[];
  /**
   * Host files and folders that the program sees in a sandbox, in addition to the system's libraries and data. A
   * program that can start other programs sees only the files and folders named here.
   */
  readonly reads: readonly string[];
  /** Additional files in an isolated sandbox: contents keyed by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the program is the browser, which serves DevTools and uses the proxy. */
  readonly isBrowser: boolean;
  /**
   * Whether the program runs as the sandbox's first process, instead of a bubblewrap process. A first process doesn't
   * receive signals sent from its own sandbox, and its orphaned descendants aren't reaped.
   */
  readonly isFirst: boolean;
  /**
   * The path of a Unix socket, relative to the folder that contains the sandbox's home and its `tmp`. In an isolated
   * sandbox, the program receives the listening socket as descriptor 3.
   */
  readonly listensOn?: string;
};

/** The only programs that sandboxes can run, by name. */
export type Programs = Readonly<Record<string, InstalledProgram>>;

export type Run = {
  /** An installed program's name. */
  readonly name: string;
  /** Arguments appended to the program's command. */
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export interface ProcessOutput {
  /** The last 4000 characters. */
  readonly tail: string;
  /** Resolves with the first match in the tail or in later output; never settles without a match. */
  find(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A running program. Disposing kills the program and its children, waits until they have ended, and never throws. */
export interface SandboxProcess extends AsyncDisposable {
  /** Standard error. */
  readonly log: ProcessOutput;
  /** Standard output. */
  readonly output: ProcessOutput;
  /** Resolves when the program and all its children have ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /**
   * Returns the CPU time used so far, in ms, excluding children; 0 if the program or its sandbox has ended. Never
   * rejects.
   */
  readProcessorMs(): Promise<number>;
  /**
   * Waits until the program is ready.
   * @param readiness Settles when the program is ready or can no longer become ready.
   * @returns The result of `readiness`.
   * @throws {Error} If `readiness` rejects, the program ends, or `timeoutMs` elapses. The message includes the tail of
   * the log. `signal.reason` if the signal is aborted.
   */
  whenReady<T>(readiness: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T>;
}

/** An open file in a sandbox's folder, unaffected if a program later replaces the path. Disposing never throws. */
export interface SandboxFile extends AsyncDisposable {
  /** Replaces the file's entire content. */
  write(content: Uint8Array): Promise<void>;
}

/** A Unix socket in a sandbox's folder, unaffected if a program later replaces the path. Disposing never throws. */
export interface SandboxSocket extends AsyncDisposable {
  /** @throws {Error} If no program is listening; `signal.reason` if the signal is aborted. */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** A browser's process environment, with its own folder and user. Disposing removes the sandbox and never throws. */
export interface Sandbox extends AsyncDisposable {
  /** The path of the sandbox's writable folder, as its programs see it. */
  readonly home: string;
  /** Whether the sandbox's programs have their own file system and network instead of the host's. */
  readonly isIsolated: boolean;
  /** The port on which the browser's DevTools must listen, as the sandbox's programs see it. */
  readonly devtoolsPort: number;
  /** Whether the sandbox's programs have ended because they exceeded their memory or process limit. */
  readonly isOverLimit: boolean;
  /**
   * Overrides the programs' default memory limit, and lowers their storage limit to fit. Has no effect without bounds.
   * @throws {Error} If the programs already use more memory.
   */
  limitMemory(bytes: number): Promise<void>;
  /**
   * Assigns the sandbox to an account. CPU time is shared equally between accounts, and within an account between its
   * sandboxes.
   */
  assign(account: string): void;
  /**
   * Opens the endpoint of the browser's proxy. Must be called before the browser runs.
   * @param accept Receives each connection to the endpoint, and owns the socket.
   * @throws {Error} If the endpoint can't be opened. Releases all resources before throwing.
   */
  openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint>;
  /**
   * Creates a file that only the sandbox's programs can read. Must be called before any program runs.
   * @param name Relative to the sandbox's folder: `file` or `folder/file`. Missing folders are created.
   * @throws {Error} If the file exists or can't be written; links are not followed.
   */
  writeFile(name: string, content: string | Uint8Array): Promise<void>;
  /** Creates an empty file, as `writeFile` does, and keeps it open for later changes. */
  holdFile(name: string): Promise<SandboxFile>;
  /**
   * Prepares to start a program. In an isolated sandbox, this makes `run` 10 ms faster.
   * @returns `ended`, which can resolve even before `run` is called.
   * @throws {Error} If the program can't be started.
   */
  prepare(name: string): Promise<Pick<SandboxProcess, "ended">>;
  /** @throws {Error} If the program can't be started. */
  run(program: Run): Promise<SandboxProcess>;
  /**
   * Opens a program's listening socket in the sandbox, for later connections.
   * @param name Relative to the sandbox's folder.
   * @throws {Error} If the folder has no socket with that name.
   */
  holdSocket(name: string): Promise<SandboxSocket>;
  /**
   * Opens a program's `listensOn` socket so that later calls can connect to it. In an isolated sandbox, call it before
   * other programs run.
   * @param program The name of a started program.
   * @throws {Error} If the sandbox has no such socket.
   */
  holdListener(program: string): Promise<SandboxSocket>;
  /**
   * Connects to the browser's DevTools port.
   * @throws {Error} If no program is listening; `signal.reason` if the signal is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** A browser's proxy endpoint. Disposing stops accepting connections, leaves existing ones open, and never throws. */
export interface ProxyEndpoint extends Disposable {
  /** The endpoint's URL as programs in the sandbox see it: `http://host:port`. */
  readonly url: string;
}

/** Isolates browsers from each other and from the host. Disposing ends all sandboxes, and never throws. */
export interface Sandboxes extends AsyncDisposable {
  /** The resource limits of each sandbox; undefined: no limits. */
  readonly bounds?: BrowserBounds | undefined;
  /** Resolves when all sandboxes have ended and no more can be created; undefined if that can't happen. */
  readonly failed?: Promise<Error>;
  /**
   * @param id The name of the sandbox's folder; must not be in use by another sandbox.
   * @throws {Error} If the folder can't be created. Releases all resources before throwing.
   */
  create(id: string): Promise<Sandbox>;
}
