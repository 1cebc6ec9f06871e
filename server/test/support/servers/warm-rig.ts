import type { FakeHost } from "../../../src/adapters/fake-browser/fake-host.ts";
import type { UpstreamProxy } from "../../../src/domain/network/upstream-proxy.ts";
import type { WarmSet } from "../../../src/domain/warm/warm-set.ts";
import type { BrowserExit, BrowserHost, BrowserSpec, HostedBrowser } from "../../../src/ports/browser-host.ts";
import { newRig, OPTIONS, type Rig } from "./services-rig.ts";

/** One browser with the rig's options. */
export const SETS: readonly WarmSet[] = [{ options: OPTIONS, count: 1 }];

/** A host that records its browsers and lets tests control when they start and end. */
class ControlledHost implements BrowserHost {
  readonly kinds: ReadonlySet<"chromium" | "chrome-headless-shell">;
  readonly specs: BrowserSpec[] = [];
  readonly routes: (UpstreamProxy | undefined)[] = [];
  failures = 0;
  /** Each browser start waits for the next promise in `gates`, or for `gate` if `gates` is empty. */
  gate: Promise<void> = Promise.resolve();
  readonly gates: Promise<void>[] = [];
  /** Every browser waits for this promise before it ends. */
  exit: Promise<void> = Promise.resolve();
  /** Whether browsers crash as soon as they have started. */
  crashesAtStart = false;
  /** The ids of browsers that run an outdated version. */
  readonly outdated = new Set<string>();
  /** Replaces the launch of stealthy browsers. */
  ofStealthy: ((signal: AbortSignal) => Promise<never>) | undefined;
  readonly #fake: FakeHost;
  readonly #deaths = new Map<string, (exit: BrowserExit) => void>();

  constructor(fake: FakeHost) {
    this.#fake = fake;
    this.kinds = new Set(["chromium", "chrome-headless-shell"] as const);
  }

  async launch(spec: BrowserSpec, signal: AbortSignal): Promise<HostedBrowser> {
    this.specs.push(spec);
    if (spec.isStealthy && this.ofStealthy !== undefined) return this.ofStealthy(signal);
    await (this.gates.shift() ?? this.gate);
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("The browser does not start.");
    }
    const browser = await this.#fake.launch(spec, signal);
    const { promise, resolve } = Promise.withResolvers<BrowserExit>();
    this.#deaths.set(spec.id, resolve);
    if (this.crashesAtStart) resolve("crashed");
    const routes = this.routes;
    const end = async (): Promise<void> => {
      await this.exit;
      await browser[Symbol.asyncDispose]();
    };
    return {
      id: browser.id,
      devtoolsPath: browser.devtoolsPath,
      screen: browser.screen,
      gone: promise,
      connect: (wanted) => browser.connect(wanted),
      takeThumbnail: (wanted) => browser.takeThumbnail(wanted),
      takeScreenshot: (wanted) => browser.takeScreenshot(wanted),
      resizePage: (size, wanted) => browser.resizePage(size, wanted),
      traffic: () => browser.traffic(),
      reroute: (proxy) => void routes.push(proxy),
      assign: () => {},
      isOutdated: () => this.outdated.has(spec.id),
      [Symbol.asyncDispose]: end,
    };
  }

  /** Ends a browser as if its process had exited. */
  end(id: string, exit: BrowserExit): void {
    this.#deaths.get(id)?.(exit);
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

/** Services with warm browsers, and a host controlled by tests. */
export type WarmRig = Rig & { readonly controlled: ControlledHost };

/** Creates a rig. Default: one warm browser, which starts after half a second. */
export async function newWarmRig(changes: Parameters<typeof newRig>[0] = {}): Promise<WarmRig> {
  let controlled: ControlledHost | undefined;
  const rig = await newRig({
    warm: SETS,
    host: (fake) => (controlled = new ControlledHost(fake)),
    ...changes,
  });
  if (controlled === undefined) throw new Error("The rig didn't create a host.");
  return Object.assign(rig, { controlled });
}

/** Returns the facts logged for each Open request. */
export function openedLogs({ log }: Rig): unknown[] {
  return log.lines.filter(({ event }) => event === "browser.opened").map(({ facts }) => facts);
}

/** Returns the retry delay after each failure, in ms. */
export function failures({ log }: Rig): unknown[] {
  return log.lines.filter(({ event }) => event === "warm.failed").map(({ facts }) => facts?.["retryMs"]);
}
