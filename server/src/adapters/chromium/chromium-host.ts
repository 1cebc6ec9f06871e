import { type BrowserKind, KIND_NAMES, checkInstalled } from "../../domain/browser/browser-kind.ts";
import { Failure } from "../../domain/failure.ts";
import type { Size } from "../../domain/browser/screen.ts";
import type { BrowserHost, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Displays } from "../../ports/display.ts";
import type { Egress } from "../../ports/egress.ts";
import type { Sandboxes } from "../../ports/sandboxes.ts";
import type { Threads } from "../../ports/threads.ts";
import { toArguments } from "./launch/command-line.ts";
import { type Executables, identify, readBuildTime } from "./launch/executables.ts";
import { awaitDevtools } from "./page/devtools.ts";
import { type Locale, toLocale, toLocaleEnvironment } from "./launch/locale.ts";
import { RunningBrowser } from "./running-browser.ts";
import { Workspaces } from "./workspaces.ts";
import { prefetchUserAgent } from "./launch/user-agent.ts";
import { WATCHDOG_LIMITS, type WatchdogLimits } from "./watchdog.ts";

export type ChromiumOptions = {
  readonly executables: Executables;
  /** Sandboxes that can run the executables, named by kind. Disposed with the host. */
  readonly sandboxes: Sandboxes;
  /** Displays for graphical browsers. If undefined, only headless browsers can be opened. */
  readonly displays: Displays | undefined;
  /** Size of displays in pixels. Headless browsers report a screen of this size. */
  readonly screen: Size;
  readonly egress: Egress;
  readonly clock: Clock;
  /** Threads that parse long messages from browsers. */
  readonly threads: Threads;
  /** Time limit for a browser to start and respond to DevTools commands. */
  readonly launchTimeoutMs: number;
  readonly watchdog?: WatchdogLimits;
  /** Number of workspaces to prepare for each kind of browser opened so far; 0 by default. */
  readonly spares?: number;
};

/** Runs Chromium browsers, each in its own sandbox with its own egress proxy and, if graphical, its own display. */
export class ChromiumHost implements BrowserHost {
  readonly kinds: ReadonlySet<BrowserKind>;
  readonly isHeadlessOnly: boolean;
  readonly bounds: BrowserHost["bounds"];
  readonly failed: Promise<Error> | undefined;
  readonly #options: ChromiumOptions;
  /** Returns the user agent for stealthy headless shells, whose own user agent would reveal that they are headless. */
  readonly #shellUserAgent: () => Promise<string | undefined>;
  readonly #launching = new Set<Promise<HostedBrowser>>();
  readonly #running = new Set<HostedBrowser>();
  readonly #shutdown = new AbortController();
  readonly #workspaces: Workspaces;
  #ending: Promise<void> | undefined;

  constructor(options: ChromiumOptions) {
    this.#options = options;
    this.bounds = options.sandboxes.bounds;
    this.failed = options.sandboxes.failed;
    this.kinds = new Set(options.executables.keys());
    this.isHeadlessOnly = options.displays === undefined;
    const shell = options.executables.get("chrome-headless-shell");
    this.#workspaces = new Workspaces({ ...options, spares: options.spares ?? 0 });
    this.#shellUserAgent = shell ? prefetchUserAgent(shell.path, this.#shutdown.signal) : async () => undefined;
  }

  builtAt(kind: BrowserKind): Date | undefined {
    const { path } = this.#options.executables.get(kind) ?? {};
    return path === undefined ? undefined : readBuildTime(path);
  }

  async launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    checkInstalled(spec, this);
    const launch = this.#launch(spec, AbortSignal.any([signal, this.#shutdown.signal]));
    this.#launching.add(launch);
    try {
      return await launch;
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      if (cause instanceof Failure) throw cause;
      const message = `${KIND_NAMES[spec.kind]} did not start; the operator can find the reason in the server's log.`;
      throw new Failure("BrowserUnavailable", message, { cause });
    } finally {
      this.#launching.delete(launch);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<void> {
    this.#shutdown.abort(new Failure("BrowserUnavailable", "This server is shutting down and can't open browsers."));
    await Promise.allSettled(this.#launching);
    await Promise.all([...this.#running].map((browser) => browser[Symbol.asyncDispose]()));
    await this.#workspaces[Symbol.asyncDispose]();
    await this.#options.sandboxes[Symbol.asyncDispose]();
  }

  async #launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    const { screen, egress, clock, threads, launchTimeoutMs, watchdog = WATCHDOG_LIMITS } = this.#options;
    signal.throwIfAborted();
    await using acquired = new AsyncDisposableStack();
    const { sandbox, display } = acquired.use(await this.#workspaces.take(spec, signal));
    if (spec.memoryBytes !== undefined) await sandbox.limitMemory(spec.memoryBytes);
    if (spec.account !== undefined) sandbox.assign(spec.account);
    const proxy = acquired.use(egress.startProxy(spec.proxy));
    const endpoint = acquired.use(await sandbox.openProxyEndpoint((socket) => proxy.accept(socket)));
    const userAgent = spec.kind === "chrome-headless-shell" ? await this.#shellUserAgent() : undefined;
    signal.throwIfAborted();
    const { path = "" } = this.#options.executables.get(spec.kind) ?? {};
    const file = identify(path);
    const { devtoolsPort, home } = sandbox;
    const paths = { devtoolsPort, home, proxyUrl: endpoint.url, screen };
    const process = acquired.use(
      await sandbox.run({
        name: spec.kind,
        arguments: toArguments(spec, paths, userAgent),
        environment: toEnvironment(home, toLocale(spec), display?.environment),
      }),
    );
    const [devtoolsPath] = await Promise.all([
      awaitDevtools(sandbox, process, launchTimeoutMs, signal),
      display?.ready,
    ]);
    signal.throwIfAborted();
    const resources = acquired.move();
    const browser = new RunningBrowser({
      spec,
      devtoolsPath,
      sandbox,
      process,
      proxy,
      display,
      resources,
      clock,
      threads,
      // A machine that starts browsers slowly also resizes pages slowly.
      resizeTimeoutMs: launchTimeoutMs,
      watchdog,
      // If the file is missing, there is no newer version to start.
      isOutdated: () => (identify(path) ?? file) !== file,
    });
    browser.start();
    this.#running.add(browser);
    resources.defer(() => void this.#running.delete(browser));
    return browser;
  }
}

/** Returns the browser's complete environment. Nothing is inherited from the server's environment. */
function toEnvironment(
  home: string,
  locale: Locale,
  display: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: home,
    ...toLocaleEnvironment(locale),
    // Prevents graphical browsers from starting a message bus that outlives them, if dbus-launch is installed.
    DBUS_SESSION_BUS_ADDRESS: "disabled:",
    ...display,
  };
}
