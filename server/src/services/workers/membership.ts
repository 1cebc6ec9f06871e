import type { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { WantedState, Server, ServerRegistry, ServerReport } from "../../ports/cluster/server-registry.ts";
import { REFUSE_MS, toClockReason, needsOperator, WARN_MS } from "../health/clock-watch.ts";
import { DeadWorkers } from "./dead-workers.ts";
import { SharedUrls } from "./shared-urls.ts";

const REPORT_MS = 2000;
/** The delay before a full server reports a free slot, in ms, so that one report can cover several freed slots. */
const FREE_MS = 250;

type MembershipNeeds = {
  readonly registry: ServerRegistry;
  readonly clock: Pick<Clock, "after" | "elapsedMs" | "now">;
  readonly log: Log;
};

/** The server that joins. */
type Member = {
  readonly report: () => Omit<ServerReport, "fenceMs">;
  /**
   * How long the server keeps browsers while it can't report and other servers exist, in ms; undefined for no limit.
   */
  readonly fenceMs: number | undefined;
  /** Ends all browsers, and resolves when their resources are released. */
  readonly endBrowsers: () => Promise<void>;
  /** Whether no browser is open, being opened or ending. */
  readonly isIdle: () => boolean;
  /** Called with the full list of servers each time it is read. */
  readonly onWorkers?: (workers: readonly Server[]) => void;
};

/**
 * This server's membership in the group of servers that share its database. Reports every two seconds, and applies the
 * state that the operator chose. A removed server ends its browsers, because their records are closed, and joins again.
 * A draining server leaves once it has no browsers. If another server uses the same id, this server waits for the other
 * to leave: otherwise, each report would end the other server's browsers. Disposing leaves the group.
 *
 * Other servers can't distinguish a dead server from a server that can't reach the database. A server that couldn't
 * report for `fenceMs` therefore ends its browsers, and the other servers close their records later. If no other
 * servers exist, the server keeps its browsers.
 */
export class Membership implements AsyncDisposable {
  readonly #needs: MembershipNeeds;
  /** Undefined until this server joins. */
  #member: Member | undefined;
  #wanted: WantedState = "active";
  #cancel: () => void = () => {};
  /** When the next report is due, as the clock's `elapsedMs`. */
  #dueMs = Infinity;
  readonly #dead: DeadWorkers;
  readonly #sharedUrls: SharedUrls;
  #hasOthers = false;
  #cancelFence: (() => void) | undefined;
  #reporting: Promise<void> | undefined;
  #isAway = false;
  #reportedMs = 0;
  /** Whether another server reports with this server's id. */
  #isDisplaced = false;
  /** How far this server's clock was ahead of the database's at the last report, in ms. */
  #aheadMs = 0;
  /** When the last report was sent, and when it was confirmed, by this server's clock. */
  #reported = { from: 0, to: 0 };
  #isStopping = false;
  #isLeaving = false;
  readonly #drained = Promise.withResolvers<void>();

  constructor(needs: MembershipNeeds) {
    this.#needs = needs;
    this.#dead = new DeadWorkers(needs);
    this.#sharedUrls = new SharedUrls(needs);
  }

  /** Why this server currently refuses to open browsers; undefined if it opens them. */
  get refusal(): Failure | undefined {
    if (this.#isDisplaced) return needsOperator(REASONS.displaced);
    if (Math.abs(this.#aheadMs) > REFUSE_MS)
      return needsOperator(toClockReason(this.#aheadMs, "the database's, and units are charged by both clocks"));
    return this.#wanted === "active" ? undefined : needsOperator(REASONS[this.#wanted]);
  }

  /** The time since the database confirmed the last report. */
  get reportAgeMs(): number {
    return this.#needs.clock.elapsedMs() - this.#reportedMs;
  }

  /** Resolves when this server has left because the operator drained it. */
  get drained(): Promise<void> {
    return this.#drained.promise;
  }

  /** Joins the other servers. @throws {Error} If the database isn't writable, or its servers have different keys. */
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

  /** Reports immediately that this server is stopping, so that front-ends choose other servers. */
  retire(): void {
    this.#isStopping = true;
    this.#reportWithin(0);
  }

  /** Schedules an early report of a free slot, because requests may be waiting. */
  noteFree(): void {
    this.#reportWithin(FREE_MS);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end();
    await this.#reporting;
    // If the database is unreachable, the server's entry expires.
    await this.#needs.registry.leave().catch(() => {});
  }

  #end(): void {
    this.#isLeaving = true;
    this.#cancel();
    this.#cancelFence?.();
  }

  async #join(): Promise<void> {
    const { registry } = this.#needs;
    this.#wanted = await this.#promise((report) => registry.register(report));
  }

  /** Servers with different keys couldn't read each other's secrets. */
  #checkKeys(workers: readonly Server[]): void {
    const { registry } = this.#needs;
    const { keys: own = [] } = this.#joined.report();
    const isOther = ({ id, isAlive, keys }: Server): boolean =>
      id !== registry.id && isAlive && keys?.some((key) => own.includes(key)) === false;
    const other = workers.find(isOther);
    if (other !== undefined) {
      throw new Error(
        `Server ${other.id}, which uses the same database, has different keys. Give all servers the same RBS_SECRET_KEY_FILE.`,
      );
    }
  }

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

  /** @param seenAt When the last report arrived, according to the database's clock. */
  #compareClocks(seenAt: Date | undefined): void {
    const { log } = this.#needs;
    const { from, to } = this.#reported;
    if (seenAt === undefined || to === 0 || this.#isDisplaced) return;
    const aheadMs = Math.max(0, from - seenAt.getTime()) - Math.max(0, seenAt.getTime() - to);
    const isOff = Math.abs(aheadMs) > WARN_MS;
    if (isOff && Math.abs(this.#aheadMs) <= WARN_MS) log.warn("clock.off", { aheadMs });
    this.#aheadMs = aheadMs;
  }

  /** Detects another server with this server's id, for example if its data folder is a copy. */
  async #findOther(): Promise<Server | undefined> {
    const { registry } = this.#needs;
    return (await registry.list()).find(({ id, isAlive }) => id === registry.id && isAlive);
  }

  /** Sends a report that announces a fence, and respects the fence whether or not the database responds. */
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
      // Reports are serialized, because a server may begin to stop during a report.
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
        // The response to an earlier leave request may have been lost.
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
      // While the database is unavailable, browsers stay open until the fence expires.
      this.#dead.forget();
      if (!this.#isAway) log.warn("worker.report_failed", { error });
      this.#isAway = true;
    }
  }
}

const REASONS: Readonly<Record<Exclude<WantedState, "active"> | "displaced", string>> = {
  cordoned: "The operator has stopped this server from opening browsers.",
  draining: "The operator is draining this server. It opens no new browsers and stops once its open browsers end.",
  displaced:
    "Another server uses this one's id because one server's data folder is a copy of the other's. Stop one of the servers, delete the " +
    "file worker.id in its RBS_DATA_DIR, and start it again.",
};
