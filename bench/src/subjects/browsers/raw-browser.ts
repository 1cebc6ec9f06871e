import { randomInt } from "node:crypto";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
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
import { listen } from "../processes/listen.ts";
import { type RawProgram, startRaw, USER, START_TIMEOUT_MS } from "./raw-process.ts";

/** Size of the service's screens, in pixels. */
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

/** The timed work in a browser. */
export type Work = (raw: Raw) => Promise<unknown>;

const askVersion: Work = ({ client }) => client.call("Browser.getVersion");

/** A browser whose folder, proxy and screen exist, but whose process hasn't started yet. */
type Prepared = AsyncDisposable & { readonly start: () => Promise<Raw & AsyncDisposable> };

type RawSettings = {
  readonly folder: string;
  readonly spec: OpenOptions;
  readonly executable: string;
  readonly userAgent: string | undefined;
  /** Whether browsers connect to sites directly, not through a proxy as they do in the service. */
  readonly isDirect: boolean;
};

/**
 * The baseline for all startup figures: Chromium with the service's own switches, started by hand as an unprivileged
 * user, without a sandbox and without the service. The browser's folder, its proxy and, for a graphical browser, its
 * Xvnc exist before the measurement starts.
 */
export class RawBrowsers {
  readonly #settings: RawSettings;

  private constructor(settings: RawSettings) {
    this.#settings = settings;
  }

  /** @param folder A folder that only these browsers use. @throws {Error} If the browser is not installed. */
  static async prepare(folder: string, options: WireOptions, isDirect = false): Promise<RawBrowsers> {
    const spec = readOpenOptions(options);
    const executable = findExecutables().get(spec.kind)?.path;
    if (executable === undefined) throw new Error(`${spec.kind} is not installed.`);
    await mkdir(folder, { mode: 0o711 });
    return new RawBrowsers({ folder, spec, executable, userAgent: await readUserAgent(executable), isDirect });
  }

  /** Runs `work` in a new browser. @returns Time from the start of the browser process to the end of `work`, in ms. */
  async time(work: Work = askVersion): Promise<number> {
    const [ms = Number.NaN] = await this.timeAtOnce(1, work);
    return ms;
  }

  /** Starts browsers concurrently. @returns The time until each browser's work is done, in ms. */
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

  /** Starts a browser. Disposing of the browser stops it. */
  async open(): Promise<Raw & AsyncDisposable> {
    await using acquired = new AsyncDisposableStack();
    const { client, endpoint } = acquired.use(await acquired.use(await this.prepareOne()).start());
    const resources = acquired.move();
    return { client, endpoint, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  }

  /** Prepares a browser for the caller to start. */
  async prepareOne(): Promise<Prepared> {
    const { folder: parent, spec, executable, userAgent, isDirect } = this.#settings;
    await using acquired = new AsyncDisposableStack();
    const folder = await mkdtemp(join(parent, "raw-"));
    acquired.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    if (!spec.isHeadless) await writePreferences({ writeFile: toWriter(folder) }, spec, SCREEN);
    await giveAway(folder);
    const environment = {
      PATH: "/usr/bin:/bin",
      HOME: folder,
      TMPDIR: folder,
      ...toLocaleEnvironment(toLocale(spec)),
      DBUS_SESSION_BUS_ADDRESS: "disabled:",
      ...(spec.isHeadless ? {} : await startScreen(folder, acquired)),
    };
    const place = {
      devtoolsPort: await findFreePort(),
      home: folder,
      proxyUrl: isDirect ? "direct://" : await openProxy(acquired),
      screen: SCREEN,
    };
    const program = { command: executable, arguments: toArguments(spec, place, userAgent), environment };
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

/** Retries until a connection succeeds, because Chromium logs its address before it accepts connections. */
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

/** Starts Xvnc without a window manager or a password. @returns The environment for programs that use this screen. */
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

/** Opens a proxy in the same way as the service. @returns The proxy's URL. */
async function openProxy(acquired: AsyncDisposableStack): Promise<string> {
  const proxy = acquired.use(newEgress({ rules: NO_RULES, log: { error() {} } }).startProxy(undefined));
  const server = createServer((socket) => proxy.accept(socket));
  acquired.defer(() => void server.close());
  return `http://127.0.0.1:${await listen(server)}`;
}

/** Below the kernel's ephemeral port range, so that no connection takes the port before the browser listens on it. */
let lastPort = randomInt(20_000, 30_000);

/** Finds a free port on the loopback interface. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    lastPort += 1;
    const server = createServer();
    if ((await listen(server, lastPort).catch(() => undefined)) === undefined) continue;
    server.close();
    await once(server, "close");
    return lastPort;
  }
}

function toWriter(folder: string) {
  return async (name: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
}

/** Makes the user that runs browsers the owner of a folder and its contents. */
async function giveAway(folder: string): Promise<void> {
  if (USER === undefined) return;
  const names = await readdir(folder, { recursive: true });
  for (const path of [folder, ...names.map((name) => join(folder, name))]) await chown(path, USER, USER);
}
