import { Failure } from "../../domain/failure.ts";
import { releaseOnce } from "../../concurrency/release-once.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ProxyProbe } from "../../ports/proxy-probe.ts";

/** Time from one check to the next, for a proxy that works and for one that does not. */
const SERVING_CHECK_MS = 30_000;
const LOST_CHECK_MS = 5_000;

type Member = {
  readonly proxy: UpstreamProxy;
  /** Position in the operator's list, from 1. Logs show it instead of the address, which may be a secret. */
  readonly place: number;
  /** Undefined before the first check. */
  isServing: boolean | undefined;
  /** Browsers that use it now, and that have been given it so far. */
  open: number;
  given: number;
  cancelCheck: () => void;
};

/** A proxy for one browser. Disposing gives it back; twice is harmless. */
export type ProxyLease = Disposable & { readonly proxy: UpstreamProxy };

/**
 * The deployment's proxies. Checks them in the background, and gives out the ones that work, the least used first.
 * Disposing ends the checks.
 */
export class ProxyPool implements Disposable {
  readonly #members: readonly Member[];
  readonly #probe: ProxyProbe;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closing = new AbortController();
  /** Resolves when a proxy works, or when all have been checked once. */
  readonly #known = Promise.withResolvers<void>();

  constructor(needs: { proxies: readonly UpstreamProxy[]; probe: ProxyProbe; clock: Clock; log: Log }) {
    this.#members = needs.proxies.map((proxy, index) => ({
      proxy,
      place: index + 1,
      isServing: undefined,
      open: 0,
      given: 0,
      cancelCheck: () => {},
    }));
    this.#probe = needs.probe;
    this.#clock = needs.clock;
    this.#log = needs.log;
  }

  /** The number of proxies, and of those that passed their last check. */
  get health(): { readonly all: number; readonly serving: number } {
    return { all: this.#members.length, serving: this.#members.filter(({ isServing }) => isServing).length };
  }

  /** Starts the checks, which go on until the pool is disposed. */
  start(): void {
    for (const member of this.#members) void this.#check(member);
  }

  /**
   * Chooses the proxy with the fewest open browsers, and of several such proxies the one that was given out least so far.
   * Waits for the first checks if necessary.
   * @returns Undefined if the pool has no proxies.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when no proxy works; `signal.reason` when that is aborted.
   */
  async lease(signal: AbortSignal): Promise<ProxyLease | undefined> {
    if (this.#members.length === 0) return undefined;
    await orAborted(this.#known.promise, signal);
    const [least] = this.#members.filter(({ isServing }) => isServing).toSorted(byUse);
    if (least === undefined) throw noProxy();
    least.open += 1;
    least.given += 1;
    return { proxy: least.proxy, ...releaseOnce(() => (least.open -= 1)) };
  }

  [Symbol.dispose](): void {
    this.#closing.abort();
    for (const member of this.#members) member.cancelCheck();
  }

  async #check(member: Member): Promise<void> {
    const { signal } = this.#closing;
    const verdict = await this.#probe.probe(member.proxy, signal);
    if (signal.aborted) return;
    const isServing = verdict === "serves";
    const wasServing = member.isServing ?? true;
    member.isServing = isServing;
    if (wasServing && !isServing) this.#log.warn("proxy.lost", { place: member.place, verdict });
    if (!wasServing && isServing) this.#log.info("proxy.found", { place: member.place });
    if (isServing || this.#members.every((one) => one.isServing !== undefined)) this.#known.resolve();
    const delayMs = isServing ? SERVING_CHECK_MS : LOST_CHECK_MS;
    member.cancelCheck = this.#clock.after(delayMs, () => void this.#check(member));
  }
}

function byUse(one: Member, other: Member): number {
  return one.open - other.open || one.given - other.given;
}

function noProxy(): Failure {
  const retryAfterS = LOST_CHECK_MS / 1000;
  return new Failure(
    "BrowserUnavailable",
    "None of this deployment's proxies answers, and browsers do not go out without one: " +
      `try again in ${retryAfterS} s, or give a Proxy of your own.`,
    { retryAfterS },
  );
}
