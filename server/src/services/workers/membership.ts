import type { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { WantedState, Server, ServerRegistry, ServerReport } from "../../ports/cluster/server-registry.ts";
import { REFUSE_MS, toClockReason, toRefusal, WARN_MS } from "../health/clock-watch.ts";
import { DeadWorkers } from "./dead-workers.ts";
import { SharedUrls } from "./shared-urls.ts";

const REPORT_MS = 2000;
/** How long a full server that has a free slot again waits until it reports that, in ms: more slots may become free. */
const FREE_MS = 250;

type MembershipNeeds = {
  readonly registry: ServerRegistry;
  readonly clock: Pick<Clock, "after" | "elapsedMs" | "now">;
  readonly log: Log;
};

/** What joins: a server, and what its place among the others means for it. */
type Member = {
  readonly report: () => Omit<ServerReport, "fenceMs">;
  /**
   * How long this server keeps its browsers if it can't report and there are other servers, in ms; undefined: forever.
   */
  readonly fenceMs: number | undefined;
  /** Ends all browsers. Resolves when they have released everything. */
  readonly endBrowsers: () => Promise<void>;
  /** Whether no browser is open, being opened or ending. */
  readonly isIdle: () => boolean;
  /** Gets all servers each time they are read. */
  readonly onWorkers?: (workers: readonly Server[]) => void;
};

/**
 * This server's place among those that share its database. It reports every two seconds, and does what the operator
 * wants. A server that was removed ends its browsers, because their records are closed, and joins again. One that the
 * operator drains leaves when it has no browsers. One whose id another server uses stands aside until that one is gone:
 * together, they would end each other's browsers at each report. Disposing leaves.
 *
 * Other servers can't tell a server that has died from one that can't reach the database. So a server that couldn't
 * report for `fenceMs` ends its browsers itself, and the others close their records afterwards. A server alone has no
 * reason to do so.
 */
export class Membership implements AsyncDisposable {
  readonly #needs: MembershipNeeds;
  /** Undefined until it joins. */
  #member: Member | undefined;
  #wanted: WantedState = "active";
  #cancel: () => void = () => {};
  /** When the next report is due, in ms of the clock's elapsed time. */
  #dueMs = Infinity;
  readonly #dead: DeadWorkers;
  readonly #sharedUrls: SharedUrls;
  #hasOthers = false;
  #cancelFence: (() => void) | undefined;
  #reporting: Promise<void> | undefined;
  #isAway = false;
  #reportedMs = 0;
  /** Whether another server reports with this one's id. */
  #isDisplaced = false;
  /** How far this server's clock is ahead of the database's, in ms, as far as the last report shows. */
  #aheadMs = 0;
  /** When the last report was sent, and when its answer came, by this server's clock. */
  #reported = { from: 0, to: 0 };
  #isStopping = false;
  #isLeaving = false;
  readonly #drained = Promise.withResolvers<void>();

  constructor(needs: MembershipNeeds) {
    this.#needs = needs;
    this.#dead = new DeadWorkers(needs);
    this.#sharedUrls = new SharedUrls(needs);
  }

  /** Why this server opens no browsers now; undefined if it opens them. */
  get refusal(): Failure | undefined {
    if (this.#isDisplaced) return toRefusal(REASONS.displaced);
    if (Math.abs(this.#aheadMs) > REFUSE_MS)
      return toRefusal(toClockReason(this.#aheadMs, "the database's, and units are charged by both"));
    return this.#wanted === "active" ? undefined : toRefusal(REASONS[this.#wanted]);
  }

  /** How long ago the database got the last report. */
  get reportAgeMs(): number {
    return this.#needs.clock.elapsedMs() - this.#reportedMs;
  }

  /** Resolves when the operator's drain is over: this server has left, and joins no more. */
  get drained(): Promise<void> {
    return this.#drained.promise;
  }

  /** Joins. @throws {Error} If the database can't write, or a server with other keys uses it. */
  async start(member: Member): Promise<void> {
    this.#member = member;
    this.#checkKeys(await this.#look());
    await this.#join();
    await this.#look();
    this.#reportWithin(REPORT_MS);
  }

  get #joined(): Member {
    if (this.#member === undefined) throw new Error("The server has not joined.");
    return this.#member;
  }

  /** Reports immediately that this server is stopping, so that front-ends choose other ones. */
  retire(): void {
    this.#isStopping = true;
    this.#reportWithin(0);
  }

  /** Reports soon that a slot is free again: requests may wait for it. */
  noteFree(): void {
    this.#reportWithin(FREE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await this.#reporting;
    // Without the database, the server's entry expires.
    await this.#needs.registry.leave().catch(() => {});
  }

  /** Reports no more. */
  #end(): void {
    this.#isLeaving = true;
    this.#cancel();
    this.#cancelFence?.();
  }

  async #join(): Promise<void> {
    const { registry } = this.#needs;
    this.#wanted = await this.#promise((report) => registry.register(report));
  }

  /** With other keys, neither server could read what the other one has encrypted. */
  #checkKeys(workers: readonly Server[]): void {
    const { registry } = this.#needs;
    const { keys: own = [] } = this.#joined.report();
    const isOther = ({ id, isAlive, keys }: Server): boolean =>
      id !== registry.id && isAlive && keys?.some((key) => own.includes(key)) === false;
    const other = workers.find(isOther);
    if (other !== undefined) {
      throw new Error(
        `This server's RBS_SECRET_KEY_FILE has other keys than that of the server ${other.id}, which uses the same database. Give all servers the same file.`,
      );
    }
  }

  /** Reads all workers. */
  async #look(): Promise<readonly Server[]> {
    const { registry } = this.#needs;
    const workers = await registry.list();
    this.#compareClocks(workers.find(({ id }) => id === registry.id)?.seenAt);
    this.#joined.onWorkers?.(workers);
    this.#sharedUrls.note(workers);
    this.#hasOthers = workers.some(({ id, phase }) => id !== registry.id && phase !== "left");
    await this.#dead.remove(workers);
    return workers;
  }

  /** @param seenAt When the last report arrived, by the database's clock. */
  #compareClocks(seenAt: Date | undefined): void {
    const { log } = this.#needs;
    const { from, to } = this.#reported;
    if (seenAt === undefined || to === 0 || this.#isDisplaced) return;
    const aheadMs = Math.max(0, from - seenAt.getTime()) - Math.max(0, seenAt.getTime() - to);
    const isOff = Math.abs(aheadMs) > WARN_MS;
    if (isOff && Math.abs(this.#aheadMs) <= WARN_MS) log.warn("clock.off", { aheadMs });
    this.#aheadMs = aheadMs;
  }

  /** A server that reports with this one's id, for example because its data folder is a copy. */
  async #findOther(): Promise<Server | undefined> {
    const { registry } = this.#needs;
    return (await registry.list()).find(({ id, isAlive }) => id === registry.id && isAlive);
  }

  /** Sends a report, and keeps the promise in it whether an answer arrives or not. */
  async #promise<T>(send: (report: ServerReport) => Promise<T>): Promise<T> {
    const { clock } = this.#needs;
    const { report, fenceMs: ownFenceMs } = this.#joined;
    const fenceMs = this.#hasOthers ? ownFenceMs : undefined;
    const [sentMs, from] = [clock.elapsedMs(), clock.now().getTime()];
    if (fenceMs !== undefined) this.#cancelFence ??= clock.after(fenceMs, () => this.#fence());
    const answer = await send({ ...report(), fenceMs, phase: this.#isStopping ? "stopping" : undefined });
    this.#reportedMs = clock.elapsedMs();
    this.#reported = { from, to: clock.now().getTime() };
    this.#cancelFence?.();
    this.#cancelFence = undefined;
    if (fenceMs !== undefined && !this.#isLeaving) {
      this.#cancelFence = clock.after(sentMs + fenceMs - clock.elapsedMs(), () => this.#fence());
    }
    return answer;
  }

  async #hasLeft(): Promise<boolean> {
    // The operator may have ended the drain since the last report.
    return this.#wanted === "draining" && this.#joined.isIdle() && (await this.#needs.registry.leaveDrained());
  }

  #leave(): void {
    this.#end();
    this.#needs.log.info("worker.drained");
    this.#drained.resolve();
  }

  #fence(): void {
    const { log } = this.#needs;
    log.error("worker.fenced");
    this.#joined.endBrowsers().catch((error: unknown) => log.error("worker.fence_failed", { error }));
  }

  #reportWithin(delayMs: number): void {
    const { clock } = this.#needs;
    const dueMs = clock.elapsedMs() + delayMs;
    if (this.#member === undefined || this.#isLeaving || dueMs >= this.#dueMs) return;
    this.#cancel();
    this.#dueMs = dueMs;
    this.#cancel = clock.after(delayMs, () => {
      this.#dueMs = Infinity;
      // One report at a time: a server may begin to stop while it reports.
      this.#reporting = (this.#reporting ?? Promise.resolve())
        .then(() => this.#report())
        .finally(() => this.#reportWithin(REPORT_MS));
    });
  }

  /** Never rejects. */
  async #report(): Promise<void> {
    const { registry, log } = this.#needs;
    const { endBrowsers } = this.#joined;
    if (this.#isLeaving) return;
    try {
      const wanted = await this.#promise((report) => registry.report(report));
      if (this.#isAway) log.info("worker.back");
      this.#isAway = false;
      const other = wanted === undefined ? await this.#findOther() : undefined;
      if (other !== undefined) {
        if (!this.#isDisplaced) {
          log.error("worker.displaced", { worker: other.id, url: other.url });
          this.#isDisplaced = true;
          await endBrowsers();
        }
      } else if (wanted === undefined) {
        if (!this.#isDisplaced) {
          log.error("worker.removed");
          await endBrowsers();
        }
        // The answer to its leave may have been lost.
        if (this.#wanted === "draining") return this.#leave();
        await this.#join();
        this.#isDisplaced = false;
      } else {
        if (wanted !== this.#wanted) log.info("worker.wanted", { state: wanted });
        this.#wanted = wanted;
        if (await this.#hasLeft()) return this.#leave();
      }
      await this.#look();
    } catch (error) {
      // Browsers stay open while the database is away, until the fence.
      this.#dead.forget();
      if (!this.#isAway) log.warn("worker.report_failed", { error });
      this.#isAway = true;
    }
  }
}

const REASONS: Readonly<Record<Exclude<WantedState, "active"> | "displaced", string>> = {
  cordoned: "The operator has stopped this server from opening browsers.",
  draining: "The operator is draining this server: it opens no more browsers, and stops when the open ones have ended.",
  displaced:
    "Another server uses this one's id: its data folder is a copy of this one's, or the reverse. Stop one of them, delete the " +
    "file worker.id in its RBS_DATA_DIR, and start it again.",
};
