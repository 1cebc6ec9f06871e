import { setTimeout as wait } from "node:timers/promises";
import type { Socket } from "node:net";
import { brokerSandboxes } from "../../../server/src/adapters/broker/sandboxes.ts";
import { toArguments } from "../../../server/src/adapters/chromium/command-line.ts";
import { findExecutables } from "../../../server/src/adapters/chromium/executables.ts";
import { toLocale, toLocaleEnvironment } from "../../../server/src/adapters/chromium/locale.ts";
import { readUserAgent } from "../../../server/src/adapters/chromium/user-agent.ts";
import { writePreferences } from "../../../server/src/adapters/chromium/window.ts";
import { createEgress } from "../../../server/src/adapters/egress-proxy/egress.ts";
import { systemClock } from "../../../server/src/adapters/system-clock/system-clock.ts";
import { readOpenOptions, type WireOptions } from "../../../server/src/domain/browser/open-options.ts";
import type { Sandbox, SandboxProcess, Sandboxes, Program } from "../../../server/src/ports/sandboxes.ts";
import { DevtoolsClient } from "../devtools/client.ts";
import { SCREEN, startBareScreen } from "./bare-screen.ts";

const LISTENING = /^DevTools listening on ws:\/\/[^/]+(?<path>\/devtools\/browser\/\S+)\s/m;
const RETRY_MS = 1;
const START_TIMEOUT_MS = 30_000;

type Prepared = { readonly cell: Sandbox; readonly program: Program };

/** A browser that has just come up. */
export type Bare = {
  /** Connected already. */
  readonly client: DevtoolsClient;
  /** For other clients; leads nowhere if the browser is in a jail. */
  readonly endpoint: string;
};

/** What is done with a browser before the clock stops. */
export type Work = (bare: Bare) => Promise<unknown>;

const askVersion: Work = ({ client }) => client.call("Browser.getVersion");

/**
 * Starts browsers without the service: the very command lines that it starts them with, in a jail or raw, and nothing
 * around them. A graphical one, which can only be raw, has an Xvnc of its own, whose start is part of its own.
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

  /** @param folder Made for these browsers alone. @throws {Error} When the browser is not installed. */
  static async prepare(folder: string, isolation: "jail" | "none", options: WireOptions): Promise<BareBrowsers> {
    // A browser's own sandbox works for a user other than root only.
    const hasOwners = process.getuid?.() === 0;
    const place = brokerSandboxes({ root: folder, hasOwners, isIsolated: isolation === "jail", clock: systemClock });
    await place.prepare();
    const { kind } = readOpenOptions(options);
    const executable = findExecutables().get(kind);
    if (executable === undefined) throw new Error(`There is no ${kind} on this machine.`);
    const userAgent = await readUserAgent(executable.path);
    return new BareBrowsers({ isolation: place, options, userAgent, executable });
  }

  /** @returns Milliseconds from the start of the process until the work is done; by then the browser is gone again. */
  async time(work: Work = askVersion): Promise<number> {
    const [ms] = await this.timeAtOnce(1, work);
    if (ms === undefined) throw new Error("One browser was started.");
    return ms;
  }

  /** Starts some at once. @returns For each the time until its work was done. */
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

  /** Starts one that runs until it is disposed. */
  async open(): Promise<AsyncDisposable> {
    await using acquired = new AsyncDisposableStack();
    const { client } = await this.#start(await this.#prepareOne(acquired), acquired);
    client[Symbol.dispose]();
    return acquired.move();
  }

  /** Everything that does not belong to the start itself: folder, way out, command line. */
  async #prepareOne(acquired: AsyncDisposableStack): Promise<Prepared> {
    const spec = readOpenOptions(this.#options);
    this.#started += 1;
    const cell = acquired.use(await this.#isolation.open(`bare-${this.#started}`));
    const egress = createEgress({ policy: "any", log: { info() {}, warn() {}, error() {} } });
    const proxy = acquired.use(egress.open(undefined));
    const endpoint = acquired.use(await cell.openProxyEndpoint((socket) => proxy.accept(socket)));
    if (!spec.isHeadless) await writePreferences(cell, spec, SCREEN);
    const place = { devtoolsPort: cell.devtoolsPort, home: cell.home, proxyUrl: endpoint.url, screen: SCREEN };
    const program = {
      command: this.#executable.path,
      arguments: toArguments(spec, place, this.#userAgent),
      environment: {
        PATH: "/usr/bin:/bin",
        HOME: cell.home,
        ...toLocaleEnvironment(toLocale(spec)),
        DBUS_SESSION_BUS_ADDRESS: "disabled:",
      },
      reads: this.#executable.reads,
      isBrowser: true,
    };
    return { cell, program };
  }

  async #start({ cell, program }: Prepared, acquired: AsyncDisposableStack): Promise<Bare> {
    const { isHeadless } = readOpenOptions(this.#options);
    const screen = isHeadless ? {} : acquired.use(await startBareScreen(cell)).environment;
    const running = acquired.use(await cell.run({ ...program, environment: { ...program.environment, ...screen } }));
    const signal = AbortSignal.timeout(START_TIMEOUT_MS);
    const path = await readPath(running, signal);
    const client = acquired.use(await firstConnection(cell, path, signal));
    return { client, endpoint: `ws://127.0.0.1:${cell.devtoolsPort}${path}` };
  }
}

/** As soon as it can be had: whatever tells that a browser is ready is a part of the service. */
async function firstConnection(cell: Sandbox, path: string, signal: AbortSignal): Promise<DevtoolsClient> {
  for (;;) {
    signal.throwIfAborted();
    const client = await cell
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
