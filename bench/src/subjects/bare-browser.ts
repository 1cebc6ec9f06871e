import { setTimeout as wait } from "node:timers/promises";
import type { Socket } from "node:net";
import {
  newBrokerSandboxes,
  newEgress,
  findExecutables,
  type Program,
  readUserAgent,
  type Sandbox,
  type Sandboxes,
  type SandboxProcess,
  systemClock,
  toArguments,
  toLocale,
  toLocaleEnvironment,
  writePreferences,
} from "../../../server/test/interface.ts";
import { readOpenOptions, type WireOptions } from "../../../server/src/domain/browser/open-options.ts";
import { DevtoolsClient } from "../devtools/client.ts";
import { SCREEN, startBareScreen } from "./bare-screen.ts";

const LISTENING = /^DevTools listening on ws:\/\/[^/]+(?<path>\/devtools\/browser\/\S+)\s/m;
const RETRY_MS = 1;
const START_TIMEOUT_MS = 30_000;

type Prepared = { readonly sandbox: Sandbox; readonly program: Program };

/** A browser that has just started. */
export type Bare = {
  /** Already connected. */
  readonly client: DevtoolsClient;
  /** For other clients; they can't reach a browser in a sandbox. */
  readonly endpoint: string;
};

/** The work with a browser that is part of the measured time. */
export type Work = (bare: Bare) => Promise<unknown>;

const askVersion: Work = ({ client }) => client.call("Browser.getVersion");

/**
 * Starts browsers without the service, with the service's command lines, in a sandbox or without one. A graphical
 * browser can run only without a sandbox; starting its Xvnc is part of the measured time.
 */
export class BareBrowsers {
  readonly #isolation: Sandboxes;
  readonly #options: WireOptions;
  readonly #userAgent: string | undefined;
  readonly #executable: { readonly path: string; readonly reads: readonly string[] };
  #started = 0;

  private constructor(needs: {
    isolation: Sandboxes;
    options: WireOptions;
    userAgent: string | undefined;
    executable: { readonly path: string; readonly reads: readonly string[] };
  }) {
    this.#isolation = needs.isolation;
    this.#options = needs.options;
    this.#userAgent = needs.userAgent;
    this.#executable = needs.executable;
  }

  /** @param folder For these browsers only. @throws {Error} When the browser is not installed. */
  static async prepare(folder: string, isolation: "sandbox" | "none", options: WireOptions): Promise<BareBrowsers> {
    // Chromium's own sandbox doesn't work for root.
    const hasOwners = process.getuid?.() === 0;
    const isIsolated = isolation === "sandbox";
    const host = newBrokerSandboxes({ root: folder, hasOwners, isIsolated, clock: systemClock, onStuck() {} });
    await host.prepare();
    const { kind } = readOpenOptions(options);
    const executable = findExecutables().get(kind);
    if (executable === undefined) throw new Error(`${kind} is not installed.`);
    const userAgent = await readUserAgent(executable.path);
    return new BareBrowsers({ isolation: host, options, userAgent, executable });
  }

  /** Starts a browser and ends it. @returns Milliseconds from the start of the process until the work is done. */
  async time(work: Work = askVersion): Promise<number> {
    const [ms] = await this.timeAtOnce(1, work);
    if (ms === undefined) throw new Error("timeAtOnce(1) returned no time.");
    return ms;
  }

  /** Starts some browsers at once. @returns For each, the time until its work was done. */
  async timeAtOnce(count: number, work: Work = askVersion): Promise<number[]> {
    await using acquired = new AsyncDisposableStack();
    const all: Prepared[] = [];
    for (let index = 0; index < count; index += 1) all.push(await this.#prepareOne(acquired));
    const startedMs = performance.now();
    return await Promise.all(
      all.map(async (prepared) => {
        const bare = await this.#start(prepared, acquired);
        await work(bare);
        return performance.now() - startedMs;
      }),
    );
  }

  /** Starts a browser that runs until it is disposed. */
  async open(): Promise<AsyncDisposable> {
    await using acquired = new AsyncDisposableStack();
    const { client } = await this.#start(await this.#prepareOne(acquired), acquired);
    client[Symbol.dispose]();
    return acquired.move();
  }

  /** Prepares what isn't part of the measured start: folder, egress proxy and command line. */
  async #prepareOne(acquired: AsyncDisposableStack): Promise<Prepared> {
    const spec = readOpenOptions(this.#options);
    this.#started += 1;
    const sandbox = acquired.use(await this.#isolation.open(`bare-${this.#started}`));
    const egress = newEgress({ policy: "any", log: { error() {} } });
    const proxy = acquired.use(egress.open(undefined));
    const endpoint = acquired.use(await sandbox.openProxyEndpoint((socket) => proxy.accept(socket)));
    if (!spec.isHeadless) await writePreferences(sandbox, spec, SCREEN);
    const place = {
      devtoolsPort: sandbox.devtoolsPort,
      home: sandbox.home,
      proxyUrl: endpoint.url,
      screen: SCREEN,
    };
    const program = {
      command: this.#executable.path,
      arguments: toArguments(spec, place, this.#userAgent),
      environment: {
        PATH: "/usr/bin:/bin",
        HOME: sandbox.home,
        ...toLocaleEnvironment(toLocale(spec)),
        DBUS_SESSION_BUS_ADDRESS: "disabled:",
      },
      reads: this.#executable.reads,
      isBrowser: true,
    };
    return { sandbox, program };
  }

  async #start({ sandbox, program }: Prepared, acquired: AsyncDisposableStack): Promise<Bare> {
    const { isHeadless } = readOpenOptions(this.#options);
    const screen = isHeadless ? {} : acquired.use(await startBareScreen(sandbox)).environment;
    const running = acquired.use(await sandbox.run({ ...program, environment: { ...program.environment, ...screen } }));
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    const path = await readPath(running, signal);
    const client = acquired.use(await firstConnection(sandbox, path, signal));
    return { client, endpoint: `ws://127.0.0.1:${sandbox.devtoolsPort}${path}` };
  }
}

/** Retries until the first success: a start without the service doesn't include the service's readiness check. */
async function firstConnection(sandbox: Sandbox, path: string, signal: AbortSignal): Promise<DevtoolsClient> {
  for (;;) {
    signal.throwIfAborted();
    const client = await sandbox
      .connect(signal)
      .then((socket: Socket) => DevtoolsClient.upgrade(socket, path))
      .catch(() => undefined);
    if (client !== undefined) return client;
    await wait(RETRY_MS);
  }
}

async function readPath(running: SandboxProcess, signal: AbortSignal): Promise<string> {
  const { groups } = await running.whenReady(running.log.find(LISTENING), START_TIMEOUT_MS, signal);
  return groups?.["path"] ?? "";
}
