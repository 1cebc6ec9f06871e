import type { Socket } from "node:net";
import type { BrowserBounds } from "../domain/machine/bounds.ts";

/** A program that sandboxes can run. */
type InstalledProgram = {
  /** Its path or name, and its first arguments. */
  readonly command: readonly string[];
  /**
   * Files and folders of the host that it sees in a sandbox, besides the system's libraries and data. A program that
   * can start others sees only those that are named here.
   */
  readonly reads: readonly string[];
  /** Files that it sees in an isolated sandbox in addition: their texts by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether it is the browser, which serves DevTools and uses the proxy. */
  readonly isBrowser: boolean;
  /**
   * Whether it is the sandbox's first process; otherwise, that is one of bubblewrap's. A first process doesn't get
   * signals from its own sandbox, and nothing collects its children's orphans.
   */
  readonly isFirst: boolean;
  /**
   * The path of a Unix socket, relative to the folder that holds the sandbox's home and its `tmp`. If the sandbox is
   * isolated, the program gets it as its descriptor 3, listening already.
   */
  readonly listensOn?: string;
};

/** Programs that sandboxes can run, by name. Nothing else runs in a sandbox. */
export type Programs = Readonly<Record<string, InstalledProgram>>;

/** One run of a program. */
export type Run = {
  /** Of an installed program. */
  readonly name: string;
  /** They follow the command's own. */
  readonly arguments: readonly string[];
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
};

type ProcessEnd = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** Text that a program writes. */
export interface ProcessOutput {
  /** The last 4000 characters. */
  readonly tail: string;
  /** Resolves with the first match in the tail or in later output; stays pending without a match. */
  find(pattern: RegExp): Promise<RegExpExecArray>;
}

/** A running program. Disposing kills it with all its children, and waits for that; never throws. */
export interface SandboxProcess extends AsyncDisposable {
  /** Standard error. */
  readonly log: ProcessOutput;
  /** Standard output. */
  readonly output: ProcessOutput;
  /** Resolves when the program and all its children have ended; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /**
   * The processor time that the program has used so far, in ms, without its children's; 0 if it or its sandbox has
   * ended. Never rejects.
   */
  readProcessorMs(): Promise<number>;
  /**
   * Waits until the program has started up.
   * @param readiness Settles when the program is ready or can no longer become ready.
   * @returns What `readiness` resolves with.
   * @throws {Error} If `readiness` rejects, the program ends, or `timeoutMs` have passed: with the tail of its log.
   *   `signal.reason` if the signal is aborted.
   */
  whenReady<T>(readiness: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T>;
}

/**
 * An open file in a sandbox's folder. It stays the same file even if a program replaces its path. Disposing never
 * throws.
 */
export interface SandboxFile extends AsyncDisposable {
  /** Replaces the whole content. */
  write(content: Uint8Array): Promise<void>;
}

/**
 * A Unix socket in a sandbox's folder. It stays the same socket even if a program replaces its path. Disposing never
 * throws.
 */
export interface SandboxSocket extends AsyncDisposable {
  /** @throws {Error} If no program is listening; `signal.reason` if the signal is aborted. */
  connect(signal: AbortSignal): Promise<Socket>;
}

/** The environment of one browser's processes, with its own folder and user. Disposing removes it; never throws. */
export interface Sandbox extends AsyncDisposable {
  /** Path of its folder, as its programs see it. They may write to it. */
  readonly home: string;
  /** Whether its programs have their own file system and network instead of the host's. */
  readonly isIsolated: boolean;
  /** The port that the browser's DevTools must listen on, as its programs see it. */
  readonly devtoolsPort: number;
  /** Whether its programs have ended because they used more memory than they may, or too many processes. */
  readonly isOverLimit: boolean;
  /**
   * Gives its programs another limit of memory than the default, and lets them store less if that wouldn't fit. Without
   * bounds, nothing happens.
   * @throws {Error} If they use more already.
   */
  limitMemory(bytes: number): Promise<void>;
  /**
   * Says which account uses it from now on. Accounts get equal shares of the processors, and an account's sandboxes get
   * equal parts of its share.
   */
  assign(account: string): void;
  /**
   * Opens the endpoint of the browser's proxy; call it before the browser runs.
   * @param accept Gets each connection that is made to the endpoint, and owns the socket.
   * @throws {Error} If the endpoint can't be opened. Releases everything first.
   */
  openProxyEndpoint(accept: (socket: Socket) => void): Promise<ProxyEndpoint>;
  /**
   * Creates a file that only the sandbox's programs can read. Call it before any of them runs.
   * @param name Relative to the sandbox's folder: `file` or `folder/file`. Missing folders are created.
   * @throws {Error} If the file exists or can't be written; links are not followed.
   */
  writeFile(name: string, content: string | Uint8Array): Promise<void>;
  /** Creates an empty file like `writeFile`, and keeps it open for later changes. */
  holdFile(name: string): Promise<SandboxFile>;
  /**
   * Does everything that a program needs before it starts. In an isolated sandbox, `run` is then 10 ms faster.
   * @returns Its end, which can also come before `run`.
   * @throws {Error} If the program can't be started.
   */
  prepare(name: string): Promise<Pick<SandboxProcess, "ended">>;
  /** @throws {Error} If the program can't be started. */
  run(program: Run): Promise<SandboxProcess>;
  /**
   * Opens a socket that a program of the sandbox listens on, for later connections.
   * @param name Relative to the sandbox's folder.
   * @throws {Error} If the folder has no socket of that name.
   */
  holdSocket(name: string): Promise<SandboxSocket>;
  /**
   * Opens the socket that a program listens on because of its `listensOn`, for later connections. Call it before other
   * programs run, in an isolated sandbox.
   * @param program The name of that program, which has been started.
   * @throws {Error} If the sandbox has no such socket.
   */
  holdListener(program: string): Promise<SandboxSocket>;
  /**
   * Connects to the browser's DevTools port.
   * @throws {Error} If no program is listening; `signal.reason` if the signal is aborted.
   */
  connect(signal: AbortSignal): Promise<Socket>;
}

/**
 * The address at which a browser reaches its proxy. Disposing stops accepting connections and leaves accepted ones
 * open; it never throws.
 */
export interface ProxyEndpoint extends Disposable {
  /** The endpoint as programs in the sandbox see it: `http://host:port`. */
  readonly url: string;
}

/** Keeps browsers apart from each other and from the host. Disposing ends all sandboxes; never throws. */
export interface Sandboxes extends AsyncDisposable {
  /** What the programs of each may use; undefined: as much as they want. */
  readonly bounds?: BrowserBounds | undefined;
  /** Resolves when all sandboxes have ended and no more can be made; undefined if that can't happen. */
  readonly failed?: Promise<Error>;
  /**
   * @param id Names the sandbox's folder; not in use by another sandbox.
   * @throws {Error} If the folder can't be created. Releases everything first.
   */
  create(id: string): Promise<Sandbox>;
}
