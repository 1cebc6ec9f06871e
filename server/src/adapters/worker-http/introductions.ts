import { orAborted, withTimeout } from "../../concurrency/abortable.ts";
import { INTRODUCE, type Introduction, type WorkerStart } from "../../ports/cluster/call-proofs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterCertificates, ClusterKeys } from "../../ports/cluster/cluster-certificates.ts";
import {
  CALLS_VERSION,
  toCallUrl,
  VERSION_HEADER,
  WORKER_HEADER,
  type WorkerCallName,
} from "../../ports/cluster/worker-call-rules.ts";
import { type WorkerAddress, WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import { isProven, proveCall } from "./call-proofs.ts";
import { type Answer, post, type Progress } from "./post.ts";
import { toLost, toRefused } from "./unreachable.ts";

/** How long a worker has to introduce itself, in ms: less than for a ping, so that the ping says what was missing. */
const INTRODUCE_MS = 4000;

/** How many workers are remembered. */
const MAX_KNOWN = 1000;

/** How long an answer may be. Introductions and refusals are short. */
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
export class Introductions implements Disposable {
  readonly #options: IntroductionOptions;
  readonly #known = new Map<string, KnownWorker>();
  /** Introductions in progress, by the worker's id and URL. */
  readonly #meeting = new Map<string, Promise<KnownWorker>>();
  readonly #over = new AbortController();

  constructor(options: IntroductionOptions) {
    this.#options = options;
  }

  /**
   * Callers at the same time share an introduction.
   * @throws {WorkerUnreachable} If the URL doesn't lead to the worker; `signal.reason` when the signal is aborted.
   */
  async meet(worker: WorkerAddress, signal: AbortSignal): Promise<KnownWorker> {
    signal.throwIfAborted();
    const before = this.#known.get(worker.id);
    if (before?.url === worker.url) return before;
    const key = `${worker.id} ${worker.url}`;
    const meeting = this.#meeting.get(key) ?? this.#meet(worker).finally(() => this.#meeting.delete(key));
    this.#meeting.set(key, meeting);
    return orAborted(meeting, signal);
  }

  /** Makes the worker introduce itself again: its start is over, or one of the two clocks has stood still. */
  forget(worker: WorkerAddress, known: KnownWorker): void {
    if (this.#known.get(worker.id) === known) this.#known.delete(worker.id);
  }

  /** @returns The `Authorization` header of a call. */
  prove({ id, url }: WorkerAddress, { start, aheadMs }: KnownWorker, name: WorkerCallName, body: string): string {
    const { secret, clock } = this.#options;
    const now: WorkerStart = { start, elapsedMs: clock.elapsedMs() + aheadMs };
    return proveCall(secret, { worker: id, url: toCallUrl(url, name) }, now, body).header;
  }

  [Symbol.dispose](): void {
    this.#over.abort(new Error("This server is shutting down."));
  }

  async #meet(worker: WorkerAddress): Promise<KnownWorker> {
    const { clock } = this.#options;
    const toError = (): Error => toSilent(worker);
    const limit = { timeoutMs: INTRODUCE_MS, clock, toError, signal: this.#over.signal };
    const { start, elapsedMs } = await withTimeout(limit, (either) => this.#ask(worker, either));
    const known = { url: worker.url, start, aheadMs: elapsedMs - clock.elapsedMs() };
    this.#known.delete(worker.id);
    this.#known.set(worker.id, known);
    const [oldest = ""] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
    return known;
  }

  async #ask(worker: WorkerAddress, signal: AbortSignal): Promise<Introduction> {
    const { secret, certificates, version = CALLS_VERSION } = this.#options;
    const url = toCallUrl(worker.url, INTRODUCE);
    const target = new URL(url);
    const { nonce, header } = proveCall(secret, { worker: worker.id, url }, { start: "", elapsedMs: 0 }, "");
    const headers = { Authorization: header, [VERSION_HEADER]: String(version), [WORKER_HEADER]: worker.id };
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
      const { clock } = this.#options;
      const own = { headers, body: "", agent: false as const, keys, clock, signal, maxBytes: MAX_BYTES };
      return await post(target, progress, own);
    } catch (cause) {
      signal.throwIfAborted();
      throw toLost({ target, name: INTRODUCE, keys }, progress.isSent, cause);
    }
  }
}

function toSilent({ url }: WorkerAddress): WorkerUnreachable {
  const words = `The server at ${new URL(url).host} didn't introduce itself within ${INTRODUCE_MS} ms.`;
  return new WorkerUnreachable(words, { isOutcomeUnknown: false });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
