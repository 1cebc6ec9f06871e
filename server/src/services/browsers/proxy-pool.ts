import { Failure } from "../../domain/failure.ts";
import { releaseOnce } from "../../concurrency/release-once.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ProxyProbe } from "../../ports/proxy-probe.ts";

/** From one check's answer to the next check, of a proxy that serves and of one that does not. */
const SERVING_CHECK_MS = 30_000;
const LOST_CHECK_MS = 5_000;

type Member = {
  readonly proxy: UpstreamProxy;
  /** Its place in the operator's list, from 1: what logs call it by, since its address may be a secret. */
  readonly place: number;
  /** Undefined until it was checked once. */
  isServing: boolean | undefined;
  /** Browsers that leave through it now, and have been given it so far. */
  open: number;
  given: number;
  cancelCheck: () => void;
};

/** A proxy for one browser. Disposing gives it back, once. */
export type ProxyLease = Disposable & { readonly proxy: UpstreamProxy };

/**
 * The deployment's proxies. They are checked in the background; only those that serve are given out, the least used
 * first. Disposing ends the checks.
 */
export class ProxyPool implements Disposable {
  readonly #members: readonly Member[];
  readonly #probe: ProxyProbe;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closing = new AbortController();
  /** Resolves when a proxy can be chosen, or none of them served when they were checked for the first time. */
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

  /** The proxies, and those of them that answered when they were last checked. */
  get health(): { readonly all: number; readonly serving: number } {
    return { all: this.#members.length, serving: this.#members.filter(({ isServing }) => isServing).length };
  }

  /** Begins to check the proxies, and goes on until disposed. */
  start(): void {
    for (const member of this.#members) void this.#check(member);
  }

  /**
   * Chooses the proxy with the fewest browsers now, of those the one with the fewest so far; a pool without proxies has
   * none to give. Waits for the first checks, when it is asked that early.
   * @param signal Aborted when nobody wants the proxy any more; then rejects with `signal.reason`.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` when no proxy serves.
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
