import { type Failure, unavailable } from "../../domain/failure.ts";
import { DAY_MS } from "../../domain/durations.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";

/** Clock errors in ms: above the first, the server logs a warning; above the second, it stops opening browsers. */
export const [WARN_MS, REFUSE_MS] = [5000, 60_000];
/** The minimum time that an operator needs to repair a machine. */
const RETRY_AFTER_S = 30;

const LOOK_MS = 2000;
/** The interval at which the time is noted, in ms. NTP usually sets the clock within this time after a start. */
const NOTE_MS = 60_000;
/**
 * The maximum time that the clock may be set ahead while the server runs, in ms. The uptime includes the time a laptop
 * sleeps, but not the time a virtual machine is paused. At worst, a week's units count toward the next month, not the
 * current one.
 */
const MOST_SET_AHEAD_MS = 7 * DAY_MS;
/** Longest time that the server may have been stopped, in ms. A stop looks the same as a clock set ahead. */
const MOST_STOPPED_MS = 366 * DAY_MS;

/** The persisted time at which the server last ran. */
export type NotedTime = {
  /** @returns Undefined on the first start, or if the operator deleted the recorded time because the clock is right. */
  read(): Promise<Date | undefined>;
  write(now: Date): Promise<void>;
};

type ClockWatchNeeds = {
  readonly noted: NotedTime;
  readonly clock: Pick<Clock, "now" | "after" | "uptimeMs">;
  readonly log: Log;
};

/** A time at which the clock was right, and limits on how far the clock may be ahead of the time elapsed since then. */
type Reference = { readonly at: number; readonly uptimeMs: number; readonly warnMs: number; readonly mostMs: number };

/**
 * Watches the clock of a server whose database is a file: such a server can't compare its clock with another server's.
 * Units are charged by day and limited by month: a clock that is months ahead would disable an account's limit, and a
 * clock that is behind could charge past days. The server opens no browsers until the clock is right, or the operator
 * deletes the saved time. Disposing stops the watch.
 */
export class ClockWatch implements Disposable {
  readonly #needs: ClockWatchNeeds;
  #reference: Reference | undefined;
  #notedAtMs: number;
  #isOdd = false;
  #cancel: () => void = () => {};
  #isStopped = false;

  constructor(needs: ClockWatchNeeds) {
    this.#needs = needs;
    this.#notedAtMs = needs.clock.uptimeMs();
  }

  async start(): Promise<void> {
    const noted = await this.#needs.noted.read();
    const uptimeMs = this.#needs.clock.uptimeMs();
    const mostMs = MOST_STOPPED_MS;
    if (noted !== undefined) this.#reference = { at: noted.getTime(), uptimeMs, warnMs: mostMs, mostMs };
    await this.#look();
  }

  /** The reason this server can't currently open browsers; undefined if it can. */
  get refusal(): Failure | undefined {
    const { aheadMs, isOff } = this.#measure();
    return isOff ? needsOperator(toNotedReason(aheadMs)) : undefined;
  }

  [Symbol.dispose](): void {
    this.#isStopped = true;
    this.#cancel();
  }

  #measure(): { readonly aheadMs: number; readonly isOdd: boolean; readonly isOff: boolean } {
    const now = this.#needs.clock.now().getTime();
    if (this.#reference === undefined) return { aheadMs: 0, isOdd: false, isOff: false };
    const { at, uptimeMs, warnMs, mostMs } = this.#reference;
    const passedMs = this.#needs.clock.uptimeMs() - uptimeMs;
    // A clock that was set back counts as correct once it reaches the last known time.
    const aheadMs = now < at ? now - at : Math.max(0, now - at - passedMs);
    return { aheadMs, isOdd: aheadMs < -WARN_MS || aheadMs > warnMs, isOff: aheadMs < -REFUSE_MS || aheadMs > mostMs };
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { noted, clock, log } = this.#needs;
    const { aheadMs, isOdd, isOff } = this.#measure();
    if (isOdd && !this.#isOdd) log.warn("clock.off", { aheadMs });
    this.#isOdd = isOdd;
    const uptimeMs = clock.uptimeMs();
    if (isOdd) this.#notedAtMs = uptimeMs;
    if (!isOff || (await noted.read()) === undefined) {
      this.#reference = { at: clock.now().getTime(), uptimeMs, warnMs: WARN_MS, mostMs: MOST_SET_AHEAD_MS };
      if (uptimeMs - this.#notedAtMs >= NOTE_MS) {
        this.#notedAtMs = uptimeMs;
        await noted.write(clock.now()).catch((error: unknown) => log.warn("clock.not_noted", { error }));
      }
    }
    if (!this.#isStopped) this.#cancel = clock.after(LOOK_MS, () => void this.#look());
  }
}

/** Returns why a server that finds this recorded time at startup can't open browsers; undefined if it can. */
export function findClockFault(noted: Date | undefined, now: Date): string | undefined {
  const aheadMs = noted === undefined ? 0 : now.getTime() - noted.getTime();
  return aheadMs < -REFUSE_MS || aheadMs > MOST_STOPPED_MS ? toNotedReason(aheadMs) : undefined;
}

function toNotedReason(aheadMs: number): string {
  const words = "the time in clock.last, which the server updates each minute, and units are charged by day";
  return `${toClockReason(aheadMs, words)} If the clock is right, delete the file clock.last in RBS_DATA_DIR.`;
}

/** @param other Names the reference clock, and says why the difference matters. */
export function toClockReason(aheadMs: number, other: string): string {
  const [seconds, side] = [Math.round(Math.abs(aheadMs) / 1000), aheadMs > 0 ? "ahead of" : "behind"];
  return `The clock of this server is ${seconds} s ${side} ${other}. Set it, for example with NTP.`;
}

/** @param reason Why this server can't open browsers until its operator takes action. */
export function needsOperator(reason: string): Failure {
  return unavailable(reason, { retryAfterS: RETRY_AFTER_S });
}
