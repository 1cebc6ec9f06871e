import { toSubscription } from "../../domain/account/account.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import { toAddress } from "../../domain/browser/address.ts";
import { checkInstalled } from "../../domain/browser/browser-kind.ts";
import { toExpiry } from "../../domain/browser/browser.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { BrowserHost, BrowserSpec, HostedBrowser } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LaunchGate } from "../capacity/launch-gate.ts";
import { OpenBrowser, type OpenBrowserNeeds } from "./open-browser.ts";
import type { OpenTime } from "../admission/open-time.ts";
import type { ProxyPool } from "./proxy-pool.ts";
import type { HeldReservation } from "../admission/reserve.ts";
import type { WarmPool } from "../warm/warm-pool.ts";

export type StartNeeds = OpenBrowserNeeds & {
  readonly host: BrowserHost;
  readonly gate: LaunchGate;
  readonly pool: WarmPool;
  /** Provides a proxy for each browser that is opened without one. */
  readonly proxies: Pick<ProxyPool, "acquire">;
  readonly plans: Plans;
  /** Creates the secret in an address: at least 128 random bits, URL-safe. */
  readonly newKey: () => string;
};

type Request = {
  readonly id: string;
  readonly options: OpenOptions;
  readonly base: URL;
  readonly time: OpenTime;
  readonly reservation: HeldReservation;
  /** The browser's resources, which are released if it doesn't open. */
  readonly resources: AsyncDisposableStack;
};

/** A browser that has started, and the secret in its address. */
type Started = { readonly browser: OpenBrowser; readonly key: string; readonly isWarm: boolean };

/**
 * Starts an admitted browser, or takes a warm browser, and records it as open, so that its units are charged.
 * @throws {Failure} `BrowserUnavailable`. @throws {unknown} `signal.reason`.
 */
export async function startBrowser(
  { id, options: requested, base, time, reservation, resources }: Request,
  signal: AbortSignal,
  needs: StartNeeds,
): Promise<Started> {
  const { host, pool, proxies, plans, gate, clock, newKey } = needs;
  await using acquired = resources.move();
  const { account } = reservation;
  const subscription = toSubscription(account, plans);
  const pooled = acquired.use(requested.proxy === undefined ? await proxies.acquire(signal) : undefined);
  const options = {
    ...requested,
    proxy: requested.proxy ?? pooled?.proxy,
    memoryBytes: subscription?.memoryBytes,
    hasWebGl: subscription?.hasWebGl,
  };
  checkInstalled(options, host);
  const launch = async (spec: BrowserSpec): Promise<HostedBrowser> => {
    using _permit = await gate.acquire(signal);
    return await host.launch(spec, signal);
  };
  const warm = acquired.use(await pool.take(options, signal));
  // Warm browsers are started with all options except the proxy.
  warm?.reroute(options.proxy);
  warm?.assign(account.id);
  const hosted = warm ?? acquired.use(await launch({ ...options, id, account: account.id }));
  if (options.page !== undefined) await hosted.resizePage(options.page, signal);
  signal.throwIfAborted();
  time.end();
  const key = newKey();
  const address = toAddress(base, key);
  // Adjusting the machine's clock must not affect the browser's minutes or deadlines.
  const steady = newSteadyClock(clock);
  const openedAt = steady.now();
  await reservation.commit(address, openedAt);
  const expiry = toExpiry(options, subscription?.maxLifetimeMs);
  const facts = { id, accountId: account.id, address, openedAt, options, expiry, hosted, resources: acquired.move() };
  return { browser: new OpenBrowser(facts, { ...needs, clock: steady }), key, isWarm: warm !== undefined };
}

/**
 * Returns a clock that starts at the given clock's current time, and ignores later adjustments to the machine's clock.
 */
function newSteadyClock(clock: Clock): Clock {
  const offsetMs = clock.now().getTime() - clock.elapsedMs();
  return {
    now: () => new Date(offsetMs + clock.elapsedMs()),
    elapsedMs: () => clock.elapsedMs(),
    uptimeMs: () => clock.uptimeMs(),
    after: (delayMs, call) => clock.after(delayMs, call),
  };
}
