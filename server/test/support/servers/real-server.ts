import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { type Answered, call } from "./call.ts";
import { type Resources, countRows, expectNothingHeld, readDescriptors } from "../browsers/resources.ts";
import { type Home, openHome } from "./home.ts";
import { findBrokerSession, tracesAt, tracesOfBroker } from "../browsers/traces.ts";
import { type Process, commandLine, descendants, isBroker, isSame, kill, listProcesses } from "../machine/processes.ts";
import { type Ended, type Script, type ScriptOptions, startScript } from "../machine/run-script.ts";
import { PATIENCE, until } from "../until.ts";

const START_MS = 90_000 * PATIENCE;

/** Time that a test's browser remains open without a client, in seconds; longer than any test. */
const KEEP_OPEN_S = 600;

/** Node keeps a descriptor of this folder in reserve, and closes it when all other descriptors are in use. */
const RESERVE = "/";

/** The operator's settings for a server. */
export type ServerOptions = Partial<ScriptOptions> & {
  readonly plans?: object;
  /** The program, as a path from `server/src`. Default: `main.ts`. */
  readonly file?: string;
  /** Whether the server opens fake browsers, and additional arguments for `npm run start:fake`. */
  readonly isFake?: boolean;
  readonly fakeArgs?: readonly string[];
};

/** A server as operators run it: in its own process, with real browsers. Disposing kills it and all its processes. */
export type RealServer = AsyncDisposable & {
  readonly home: Home;
  readonly url: URL;
  readonly pid: number;
  /** The operator's token, if this startup created the account. */
  readonly token: string;
  /** The text that the first start prints on a terminal; empty for later starts. */
  readonly welcome: string;
  readonly output: Readonly<Script["output"]>;
  readonly ended: Promise<Ended>;
  signal(signal: NodeJS.Signals): void;
  /** Calls a browser operation, by default as the operator. */
  post(operation: string, body: unknown, token?: string, headers?: Record<string, string>): Promise<Answered>;
  get(token?: string): Promise<Answered>;
  /** Opens a browser. Default: headless, and open for the whole test. @returns Its address. */
  open(options?: object, token?: string): Promise<string>;
  close(address: string, token?: string): Promise<void>;
  /** Returns the addresses of the account's open browsers. */
  addresses(token?: string): Promise<string[]>;
  /**
   * Returns this server's running processes, except for the server itself and its broker. After the server has exited,
   * its broker counts as a leftover process.
   */
  processes(): Process[];
  readResources(): Promise<Resources>;
};

/** @param home The server's folders. Default: new folders, which are removed with the server. */
export async function startServer(options: ServerOptions = {}, home?: Home): Promise<RealServer> {
  const folders = home ?? (await openHome());
  if (options.plans !== undefined) await folders.setPlans(options.plans);
  // Without warm browsers and spare sandboxes, every process that doesn't belong to an open browser is a leak.
  const settings = { RBS_WARM: "0", RBS_SPARE_SANDBOXES: "0", ...folders.settings, ...options.settings };
  const script = startScript(
    options.file ?? "main.ts",
    options.isFake === true ? ["--fake", ...(options.fakeArgs ?? [])] : [],
    {
      ...options,
      settings,
    },
  );
  const processes = followProcesses(script.pid);
  const end = async (): Promise<void> => {
    processes();
    script.child.kill("SIGKILL");
    await script.ended;
    processes().forEach((one) => kill(one));
    if (home === undefined) await folders[Symbol.asyncDispose]();
  };
  try {
    const url = await readUrl(script);
    return { ...toServer(folders, script, url, processes), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * Returns a function that finds a server's processes. The function remembers processes and their sessions, because the
 * processes of a dead server are no longer its descendants.
 */
function followProcesses(server: number): () => Process[] {
  let seen: Process[] = [];
  const own = listProcesses().find(({ pid }) => pid === process.pid)?.session;
  return () => {
    const all = listProcesses();
    const family = new Set(descendants(all, server));
    const sessions = new Set([...family, ...seen].map(({ session }) => session).filter((session) => session !== own));
    const isOurs = (one: Process): boolean =>
      family.has(one) || seen.some((known) => isSame(known, one)) || sessions.has(one.session);
    seen = all.filter((one) => one.pid !== server && isOurs(one));
    const isRunning = all.some(({ pid }) => pid === server);
    return isRunning ? seen.filter((one) => !isBroker(one)) : seen;
  };
}

/** Waits until the server prints its URL. */
async function readUrl({ child, output, ended }: Script): Promise<URL> {
  const { promise, resolve, reject } = Promise.withResolvers<URL>();
  const findUrl = (): void => {
    const [, url] = /^(?:Ready|Listening) on (\S+)$/m.exec(output.stdout) ?? [];
    if (url !== undefined) resolve(new URL(url));
  };
  child.stdout?.on("data", findUrl);
  const late = setTimeout(
    () => reject(new Error(`The server was not ready after ${START_MS} ms: ${output.stderr}`)),
    START_MS,
  );
  void ended.then(({ code, stderr }) =>
    reject(new Error(`The server exited with ${code} before it was ready: ${stderr}`)),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    child.stdout?.off("data", findUrl);
  }
}

function toServer(
  home: Home,
  { child, pid, output, ended }: Script,
  url: URL,
  processes: () => Process[],
): Omit<RealServer, typeof Symbol.asyncDispose> {
  const [, file] = /token are in (\S+)\. Save/.exec(output.stdout) ?? [];
  const welcome = file === undefined ? "" : readFileSync(file, "utf8");
  const [, operator = ""] = /^Token: +(\S+)/m.exec(welcome) ?? [];
  const own = new Set(readDescriptors(pid));
  const post: RealServer["post"] = (operation, body, token = operator, headers = {}) =>
    call(url, "POST", `/api/v1/Browser/${operation}`, token, body, headers);
  const get: RealServer["get"] = (token = operator) => call(url, "GET", "/api/v1/Browser/Get", token);
  return {
    home,
    url,
    pid,
    token: operator,
    welcome,
    output,
    ended,
    signal: (signal) => void child.kill(signal),
    post,
    get,
    async open(options = {}, token = operator) {
      const { status, body } = await post("Open", { Headless: true, KeepOpen: KEEP_OPEN_S, ...options }, token);
      expect(status, `${JSON.stringify(body)} ${output.stderr}`).toBe(200);
      return String(body["address"]);
    },
    async close(address, token = operator) {
      expect(await post("Close", { address }, token)).toMatchObject({ status: 200, body: { status: 200 } });
    },
    async addresses(token = operator) {
      const { sessions } = (await get(token)).body as { sessions: { address: string }[] };
      return sessions.map(({ address }) => address);
    },
    processes,
    async readResources() {
      return {
        // An exiting process has no command line.
        processes: processes().flatMap((one) => commandLine(one).slice(0, 120) || []),
        folders: [...tracesOfBroker(findBrokerSession(pid)).folders(), ...tracesAt(home.sandboxesDir).folders()],
        rows: countRows(home.dataDir),
        descriptors: readDescriptors(pid).filter((one) => !own.has(one) && one !== RESERVE),
      };
    },
  };
}

/** Returns an event's log lines, oldest first. */
export function readLog({ output }: Pick<RealServer, "output">, event: string): Record<string, unknown>[] {
  const lines = output.stderr.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line["event"] === event);
}

/** Returns the log lines of the last `count` browsers that ended. */
export async function lastEnds(server: RealServer, count: number): Promise<Record<string, unknown>[]> {
  await expectNothingHeld(server);
  const opened = readLog(server, "browser.opened").length;
  const ends = await until(
    () => readLog(server, "browser.closed"),
    ({ length }) => length === opened,
  );
  return ends.slice(-count);
}
