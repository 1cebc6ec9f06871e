import { INTRODUCE, type Introduction, type WorkerStart } from "../../ports/call-proofs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterCertificates, ClusterKeys } from "../../ports/cluster-certificates.ts";
import { CALLS_VERSION, toCallUrl, VERSION_HEADER, type WorkerCallName } from "../../ports/worker-call-rules.ts";
import { type WorkerAddress, WorkerUnreachable } from "../../ports/worker-calls.ts";
import { isProven, proveCall } from "./call-proofs.ts";
import { type Answer, type AnswerBudget, post, type Progress } from "./post.ts";
import { toLost, toRefused } from "./unreachable.ts";

/** How many workers are remembered. */
const MAX_KNOWN = 1000;

/** Of an answer, which is short, or a refusal. */
const MAX_BYTES = 16 * 1024;

export type IntroductionOptions = {
  /** The secret that workers accept. */
  readonly secret: string;
  /** Undefined: workers are reached over HTTP, or have a proxy with a public certificate. */
  readonly certificates?: Pick<ClusterCertificates, "current"> | undefined;
  readonly clock: Pick<Clock, "after" | "elapsedMs">;
  /** Of the calls; for tests. */
  readonly version?: number;
};

/** A worker that has proven that it knows the cluster's secret. */
export type KnownWorker = {
  readonly url: string;
  readonly start: string;
  /** How far its clock is ahead of this server's. */
  readonly aheadMs: number;
};

/**
 * Lets workers introduce themselves before they get anything: the database may have a wrong URL, and what is sent there
 * must be of no use.
 */
export class Introductions {
  readonly #options: IntroductionOptions;
  readonly #budget: AnswerBudget;
  readonly #known = new Map<string, KnownWorker>();

  /** @param budget Of the answers of all workers. */
  constructor(options: IntroductionOptions, budget: AnswerBudget) {
    this.#options = options;
    this.#budget = budget;
  }

  /** @throws {WorkerUnreachable} If the URL doesn't lead to the worker; `signal.reason` when the signal is aborted. */
  async meet(worker: WorkerAddress, signal: AbortSignal): Promise<KnownWorker> {
    const before = this.#known.get(worker.id);
    if (before?.url === worker.url) return before;
    const { start, elapsedMs } = await this.#ask(worker, signal);
    const known = { url: worker.url, start, aheadMs: elapsedMs - this.#options.clock.elapsedMs() };
    this.#known.delete(worker.id);
    this.#known.set(worker.id, known);
    const [oldest = ""] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
    return known;
  }

  /** Its start is over, or one of the two clocks has stood still. */
  forget(worker: WorkerAddress, known: KnownWorker): void {
    if (this.#known.get(worker.id) === known) this.#known.delete(worker.id);
  }

  /** @returns The `Authorization` header of a call. */
  prove({ id, url }: WorkerAddress, { start, aheadMs }: KnownWorker, name: WorkerCallName, body: string): string {
    const { secret, clock } = this.#options;
    const now: WorkerStart = { start, elapsedMs: clock.elapsedMs() + aheadMs };
    return proveCall(secret, { worker: id, url: toCallUrl(url, name) }, now, body).header;
  }

  async #ask(worker: WorkerAddress, signal: AbortSignal): Promise<Introduction> {
    const { secret, certificates, version = CALLS_VERSION } = this.#options;
    const url = toCallUrl(worker.url, INTRODUCE);
    const target = new URL(url);
    const { nonce, header } = proveCall(secret, { worker: worker.id, url }, { start: "", elapsedMs: 0 }, "");
    const headers = { Authorization: header, [VERSION_HEADER]: String(version) };
    const { status, text } = await this.#post(target, headers, certificates?.current, signal);
    if (status >= 400 && status < 500) throw toRefused(target, INTRODUCE, status, text);
    const answer = status === 200 ? readJson(text) : undefined;
    if (isProven(secret, worker.id, nonce, answer)) return answer;
    const words = `The server at ${target.host} didn't prove that it is the worker ${worker.id}. Check its RBS_WORKER_URL.`;
    throw new WorkerUnreachable(words, { isOutcomeUnknown: false });
  }

  async #post(
    target: URL,
    headers: Record<string, string>,
    keys: ClusterKeys | undefined,
    signal: AbortSignal,
  ): Promise<Answer> {
    const progress: Progress = { isSent: false, isStale: false };
    try {
      const limits = { maxBytes: MAX_BYTES, budget: this.#budget };
      const own = { headers, body: "", agent: false as const, keys, clock: this.#options.clock, signal, ...limits };
      return await post(target, progress, own);
    } catch (cause) {
      signal.throwIfAborted();
      throw toLost({ target, name: INTRODUCE, keys }, progress.isSent, cause);
    }
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
