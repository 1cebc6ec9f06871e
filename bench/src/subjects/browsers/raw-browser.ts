import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import {
  NO_RULES,
  findExecutables,
  newEgress,
  readUserAgent,
  toArguments,
  toLocale,
  toLocaleEnvironment,
  writePreferences,
} from "../../../../server/test/interface.ts";
import {
  type OpenOptions,
  readOpenOptions,
  type WireOptions,
} from "../../../../server/src/domain/browser/open-options.ts";
import { DevtoolsClient } from "../../devtools/client.ts";
import { type RawProgram, startRaw, USER, START_TIMEOUT_MS } from "./raw-process.ts";

/** The size of the service's screens. */
const SCREEN = { width: 1920, height: 1080 };

const LISTENING = /^DevTools listening on (?<endpoint>ws:\/\/\S+)\s/m;
const RETRY_MS = 1;

/** A browser that has just started. */
type Raw = {
  /** Already connected. */
  readonly client: DevtoolsClient;
  /** For other clients. */
  readonly endpoint: string;
};

/** The work with a browser that is part of the measured time. */
export type Work = (raw: Raw) => Promise<unknown>;

const askVersion: Work = ({ client }) => client.call("Browser.getVersion");

/** A browser before its start, with its folder, proxy and screen. */
type Prepared = AsyncDisposable & { readonly start: () => Promise<Raw & AsyncDisposable> };

/**
 * The baseline of everything that starts browsers: Chromium with the service's own switches, started by hand as an
 * unprivileged user, without a sandbox and without the service. Its folder, its proxy and the Xvnc of a graphical
 * browser are there before the clock starts.
 */
export class RawBrowsers {
  readonly #folder: string;
  readonly #spec: OpenOptions;
  readonly #executable: string;
  readonly #userAgent: string | undefined;
  /** Whether it connects to sites itself, instead of through a proxy like the service's. */
  isDirect = false;

  private constructor(folder: string, spec: OpenOptions, executable: string, userAgent: string | undefined) {
    this.#folder = folder;
    this.#spec = spec;
    this.#executable = executable;
    this.#userAgent = userAgent;
  }

  /** @param folder For these browsers only. @throws {Error} When the browser is not installed. */
  static async prepare(folder: string, options: WireOptions): Promise<RawBrowsers> {
    const spec = readOpenOptions(options);
    const executable = findExecutables().get(spec.kind)?.path;
    if (executable === undefined) throw new Error(`${spec.kind} is not installed.`);
    await mkdir(folder, { mode: 0o711 });
    return new RawBrowsers(folder, spec, executable, await readUserAgent(executable));
  }

  /** Starts a browser and ends it. @returns Milliseconds from the start of its process until the work is done. */
  async time(work: Work = askVersion): Promise<number> {
    const [ms = Number.NaN] = await this.timeAtOnce(1, work);
    return ms;
  }

  /** Starts some browsers at the same time. @returns For each, the time until its work was done. */
  async timeAtOnce(count: number, work: Work = askVersion): Promise<number[]> {
    await using acquired = new AsyncDisposableStack();
    const all: Prepared[] = [];
    for (let index = 0; index < count; index += 1) all.push(acquired.use(await this.prepareOne()));
    const startedMs = performance.now();
    return await Promise.all(
      all.map(async ({ start }) => {
        await work(acquired.use(await start()));
        return performance.now() - startedMs;
      }),
    );
  }

  /** Starts a browser that runs until it is disposed. */
  async open(): Promise<Raw & AsyncDisposable> {
    await using acquired = new AsyncDisposableStack();
    const { client, endpoint } = acquired.use(await acquired.use(await this.prepareOne()).start());
    const resources = acquired.move();
    return { client, endpoint, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  }

  /** Prepares a browser, for its caller to start. */
  async prepareOne(): Promise<Prepared> {
    await using acquired = new AsyncDisposableStack();
    const folder = await mkdtemp(join(this.#folder, "raw-"));
    acquired.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    if (!this.#spec.isHeadless) await writePreferences({ writeFile: toWriter(folder) }, this.#spec, SCREEN);
    await giveAway(folder);
    const environment = {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      TMPDIR: folder,
      ...toLocaleEnvironment(toLocale(this.#spec)),
      DBUS_SESSION_BUS_ADDRESS: "disabled:",
      ...(this.#spec.isHeadless ? {} : await startScreen(folder, acquired)),
    };
    const place = {
      devtoolsPort: await findFreePort(),
      home: folder,
      proxyUrl: this.isDirect ? "direct://" : await openProxy(acquired),
      screen: SCREEN,
    };
    const command = this.#executable;
    const program = { command, arguments: toArguments(this.#spec, place, this.#userAgent), environment };
    const resources = acquired.move();
    return {
      start: () => startBrowser(program, place.devtoolsPort),
      [Symbol.asyncDispose]: () => resources.disposeAsync(),
    };
  }
}

async function startBrowser(program: RawProgram, port: number): Promise<Raw & AsyncDisposable> {
  await using acquired = new AsyncDisposableStack();
  const started = acquired.use(startRaw(program));
  const { groups } = await started.says(LISTENING);
  const endpoint = groups?.["endpoint"] ?? "";
  const client = acquired.use(await firstConnection(port, new URL(endpoint).pathname));
  const resources = acquired.move();
  return { client, endpoint, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** Retries until the first success: Chromium logs its address before it accepts connections. */
async function firstConnection(port: number, path: string): Promise<DevtoolsClient> {
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      return await DevtoolsClient.connect({ host: "127.0.0.1", port }, path);
    } catch (error) {
      if (waitedMs > START_TIMEOUT_MS) throw error;
    }
    await wait(RETRY_MS);
  }
}

/** Starts an Xvnc without a window manager and passwords. @returns The environment for programs that use it. */
async function startScreen(folder: string, acquired: AsyncDisposableStack): Promise<Record<string, string>> {
  const xvnc = acquired.use(
    startRaw({
      command: "Xvnc",
      arguments: [
        ...["-displayfd", "1", "-geometry", `${SCREEN.width}x${SCREEN.height}`, "-depth", "24"],
        ...["-nolisten", "tcp", "-nolisten", "unix", "-extension", "GLX"],
        ...["-rfbport", "-1", "-rfbunixpath", join(folder, "rfb.sock"), "-SecurityTypes", "None", "-ac"],
      ],
      environment: { PATH: "/usr/bin:/bin", HOME: folder },
    }),
  );
  const [, number] = await xvnc.says(/^(\d+)\n/m);
  return { DISPLAY: `:${number}` };
}

/** Opens a proxy as the service does. @returns Its URL. */
async function openProxy(acquired: AsyncDisposableStack): Promise<string> {
  const proxy = acquired.use(newEgress({ rules: NO_RULES, log: { error() {} } }).startProxy(undefined));
  const server = await listen(createServer((socket) => proxy.accept(socket)));
  acquired.defer(() => void server.close());
  return `http://127.0.0.1:${toPort(server)}`;
}

/** Below the ports that the kernel gives to connections, one of which could take the port before the browser does. */
let lastPort = randomInt(20_000, 30_000);

/** A port of the loopback interface that nothing listens on. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    lastPort += 1;
    const server = await listen(createServer(), lastPort).catch(() => undefined);
    if (server === undefined) continue;
    server.close();
    await once(server, "close");
    return lastPort;
  }
}

async function listen(server: Server, port = 0): Promise<Server> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function toPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");
  return address.port;
}

function toWriter(folder: string) {
  return async (name: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
}

/** Gives a folder with all it contains to the user that browsers run as. */
async function giveAway(folder: string): Promise<void> {
  if (USER === undefined) return;
  const names = await readdir(folder, { recursive: true });
  for (const path of [folder, ...names.map((name) => join(folder, name))]) await chown(path, USER, USER);
}
