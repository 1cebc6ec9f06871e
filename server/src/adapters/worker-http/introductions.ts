import { orAborted, withTimeout } from "../../concurrency/abortable.ts";
import { INTRODUCE, type Introduction, type WorkerStart } from "../../ports/cluster/call-proofs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterCertificates } from "../../ports/cluster/cluster-certificates.ts";
import {
  CALLS_VERSION,
  toCallUrl,
  VERSION_HEADER,
  WORKER_HEADER,
  type WorkerCallName,
} from "../../ports/cluster/worker-call-rules.ts";
import { type WorkerAddress, WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import { isProven, proveCall } from "./call-proofs.ts";
import { post, type Progress } from "./post.ts";
import { toLost, toRefused } from "./unreachable.ts";

/** Time limit for an introduction, in ms. Below a ping's limit, so that the ping fails with this error. */
const INTRODUCE_MS = 4000;

/** Maximum number of known workers. */
const MAX_KNOWN = 1000;

/** Maximum length of a response. All expected responses are short. */
const MAX_BYTES = 16 * 1024;

export type IntroductionOptions = {
  /** The secret that workers accept. */
  readonly secret: string;
  /** Undefined if workers use HTTP, or a proxy with a public certificate. */
  readonly certificates?: Pick<ClusterCertificates, "current"> | undefined;
  readonly clock: Pick<Clock, "after" | "elapsedMs">;
  /** Version of the worker calls. Set only in tests. */
  readonly version?: number;
};

/** A worker that has proved that it knows the cluster's secret. */
export type KnownWorker = {
  readonly url: string;
  readonly start: string;
  /** How far the worker's clock is ahead of this server's, in ms. */
  readonly aheadMs: number;
};

/** Verifies workers before any sensitive data is sent to them, because the database may contain a wrong URL. */
export class Introductions implements Disposable {
  readonly #options: IntroductionOptions;
  readonly #known = new Map<string, KnownWorker>();
  /** Ongoing introductions, keyed by worker id and URL. */
  readonly #meeting = new Map<string, Promise<KnownWorker>>();
  readonly #over = new AbortController();

  constructor(options: IntroductionOptions) {
    this.#options = options;
  }

  /**
   * Returns a verified worker. Concurrent callers share one introduction.
   * @throws {WorkerUnreachable} If the URL doesn't point to the worker; `signal.reason` if the signal is aborted.
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

  /** Makes a worker introduce itself again after the worker has restarted or a server's clock has paused. */
  forget(worker: WorkerAddress, known: KnownWorker): void {
    if (this.#known.get(worker.id) === known) this.#known.delete(worker.id);
  }

  /** Returns a call's `Authorization` header. */
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
    const words = `The server at ${new URL(worker.url).host} didn't introduce itself within ${INTRODUCE_MS} ms.`;
    const toError = (): Error => new WorkerUnreachable(words, { isOutcomeUnknown: false });
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
    const { secret, certificates, clock, version = CALLS_VERSION } = this.#options;
    const keys = certificates?.current;
    const url = toCallUrl(worker.url, INTRODUCE);
    const target = new URL(url);
    const { nonce, header } = proveCall(secret, { worker: worker.id, url }, { start: "", elapsedMs: 0 }, "");
    const headers = { Authorization: header, [VERSION_HEADER]: String(version), [WORKER_HEADER]: worker.id };
    const own = { headers, body: "", agent: false as const, keys, clock, signal, maxBytes: MAX_BYTES };
    const progress: Progress = { isSent: false, isStale: false };
    const { status, text } = await post(target, progress, own).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw toLost({ target, name: INTRODUCE, keys }, progress.isSent, cause);
    });
    if (status >= 400 && status < 500) throw toRefused(target, INTRODUCE, status, text);
    const answer = status === 200 ? readJson(text) : undefined;
    if (isProven(secret, worker.id, nonce, answer)) return answer;
    const words = `The server at ${target.host} didn't prove that it is the worker ${worker.id}. Check its RBS_WORKER_URL.`;
    throw new WorkerUnreachable(words, { isOutcomeUnknown: false });
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
