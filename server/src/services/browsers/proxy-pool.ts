import { Failure } from "../../domain/failure.ts";
import { releaseOnce } from "../../concurrency/release-once.ts";
import { orAborted } from "../../concurrency/abortable.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ProxyProbe } from "../../ports/proxy-probe.ts";

/** The pauses between checks of working and failed proxies, in ms. */
const WORKING_CHECK_MS = 30_000;
const FAILED_CHECK_MS = 5_000;

type Member = {
  readonly proxy: UpstreamProxy;
  /** The proxy's position in the operator's list, from 1. Logs show the position, because the address may be secret. */
  readonly position: number;
  /** Undefined until the first check. */
  isWorking: boolean | undefined;
  /** The number of browsers that currently use the proxy, and the number that have ever used it. */
  open: number;
  total: number;
  cancelCheck: () => void;
};

/** A proxy for one browser. Disposing returns the proxy to the pool; disposing again has no effect. */
type PooledProxy = Disposable & { readonly proxy: UpstreamProxy };

/**
 * Checks the deployment's proxies in the background, and assigns each browser the least used working proxy. Disposing
 * stops the checks.
 */
export class ProxyPool implements Disposable {
  readonly #members: readonly Member[];
  readonly #probe: ProxyProbe;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closing = new AbortController();
  /** Resolves when any check succeeds, or when every proxy has failed its first check. */
  readonly #checked = Promise.withResolvers<void>();

  constructor(needs: { proxies: readonly UpstreamProxy[]; probe: ProxyProbe; clock: Clock; log: Log }) {
    this.#members = needs.proxies.map((proxy, index) => ({
      proxy,
      position: index + 1,
      isWorking: undefined,
      open: 0,
      total: 0,
      cancelCheck: () => {},
    }));
    this.#probe = needs.probe;
    this.#clock = needs.clock;
    this.#log = needs.log;
  }

  /** The total number of proxies, and the number that passed their last check. */
  get health(): { readonly all: number; readonly serving: number } {
    return { all: this.#members.length, serving: this.#members.filter(({ isWorking }) => isWorking).length };
  }

  start(): void {
    for (const member of this.#members) void this.#check(member);
  }

  /**
   * Chooses the working proxy with the fewest current browsers; among equals, the proxy with the fewest browsers in
   * total. Waits for the first checks.
   * @param signal Cancels the wait, which then rejects with `signal.reason`.
   * @returns Undefined if the deployment has no proxies.
   * @throws {Failure} `BrowserUnavailable` with `Retry-After` if no proxy works.
   */
  async acquire(signal: AbortSignal): Promise<PooledProxy | undefined> {
    if (this.#members.length === 0) return undefined;
    await orAborted(this.#checked.promise, signal);
    const [least] = this.#members
      .filter(({ isWorking }) => isWorking)
      .toSorted((one, other) => one.open - other.open || one.total - other.total);
    if (least === undefined) throw noProxy();
    least.open += 1;
    least.total += 1;
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
    const isWorking = verdict === "serves";
    const wasWorking = member.isWorking ?? true;
    member.isWorking = isWorking;
    if (wasWorking && !isWorking) this.#log.warn("proxy.lost", { proxy: member.position, verdict });
    if (!wasWorking && isWorking) this.#log.info("proxy.found", { proxy: member.position });
    if (isWorking || this.#members.every((one) => one.isWorking !== undefined)) this.#checked.resolve();
    const delayMs = isWorking ? WORKING_CHECK_MS : FAILED_CHECK_MS;
    member.cancelCheck = this.#clock.after(delayMs, () => void this.#check(member));
  }
}

function noProxy(): Failure {
  const retryAfterS = FAILED_CHECK_MS / 1000;
  return new Failure(
    "BrowserUnavailable",
    "This deployment's proxies do not respond, and browsers cannot connect without a proxy: " +
      `try again in ${retryAfterS} s, or set Proxy to a proxy of your own.`,
    { retryAfterS },
  );
}
