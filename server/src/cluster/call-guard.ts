import { Failure } from "../domain/failure.ts";
import {
  type CallProof,
  type CallProofs,
  INTRODUCE,
  type Introduction,
  type WorkerStart,
} from "../ports/cluster/call-proofs.ts";
import type { Clock } from "../ports/clock.ts";
import { FIRST_PROVEN, toCallUrl } from "../ports/cluster/worker-call-rules.ts";

/** Maximum difference between a proof's time and the worker's clock. */
const WINDOW_MS = 30_000;
/** How many calls are remembered so that repeats are refused. Beyond that, front-ends must request a new `start`. */
const MAX_SEEN = 10_000;

export type CallGuardOptions = {
  /** The cluster's secrets, of which a front-end must know one. */
  readonly secrets: readonly string[];
  readonly worker: {
    readonly id: string;
    /** The id of this start of the worker. */
    readonly instance: string;
    /** The URL at which front-ends reach the worker. */
    readonly url: string;
  };
  readonly clock: Pick<Clock, "elapsedMs">;
  readonly proofs: CallProofs;
};

/** Decides whether a call comes from one of the cluster's front-ends and is meant for this worker's current run. */
export class CallGuard {
  readonly #options: CallGuardOptions;
  #start: string;
  #nonces = new Set<string>();
  /** Nonces that are older than `#nonces` but must still be refused. */
  #earlierNonces: ReadonlySet<string> = new Set();
  #turnedMs = -Infinity;

  constructor(options: CallGuardOptions) {
    this.#options = options;
    this.#start = options.proofs.newNonce();
  }

  /**
   * Checks whether a call is meant for this worker and its current start. Call this before `check`, which rejects every
   * proof for another worker.
   * @param header The value of `WORKER_HEADER`. Undefined if the front-end's version is too old to send it.
   * @returns A message if the call is for another worker or another start; otherwise undefined.
   */
  findMisdirection(header: string | undefined): string | undefined {
    const { id, instance } = this.#options.worker;
    const [wantedId = id, wantedInstance = instance] = header?.split(" ") ?? [];
    if (wantedId !== id)
      return "This isn't the worker that the call is for. Give each worker an RBS_WORKER_URL of its own that points to that worker.";
    return wantedInstance === instance ? undefined : "The call is for another start of this worker.";
  }

  /**
   * Checks a call's proof.
   * @param version The version of the front-end's calls.
   * @returns The proof that the body must match; undefined for a first-version front-end, which sends the secret.
   * @throws {Failure} `AuthorizationError`.
   */
  check(name: string, header: string | undefined, version: number): CallProof | undefined {
    const { proofs, secrets } = this.#options;
    if (version < FIRST_PROVEN && proofs.hasSecret(secrets, header)) return undefined;
    const proof = this.#read(name, header);
    const { start, elapsedMs } = this.#now;
    if (proof.start !== start || Math.abs(proof.sentMs - elapsedMs) > WINDOW_MS || !this.#isNew(proof.nonce))
      throw new Failure("AuthorizationError", "The proof is no longer valid.");
    return proof;
  }

  /** Proves to a front-end that this is the worker. @throws {Failure} `AuthorizationError`. */
  introduce(header: string | undefined): Introduction {
    const { secret, nonce } = this.#read(INTRODUCE, header);
    const { proofs, worker } = this.#options;
    return proofs.proveWorker(secret, worker.id, nonce, this.#now);
  }

  get #now(): WorkerStart {
    return { start: this.#start, elapsedMs: Math.round(this.#options.clock.elapsedMs()) };
  }

  #read(name: string, header: string | undefined): CallProof & { readonly secret: string } {
    const { proofs, secrets, worker } = this.#options;
    const proof = proofs.readProof(secrets, { worker: worker.id, url: toCallUrl(worker.url, name) }, header);
    if (proof === undefined) throw new Failure("AuthorizationError", "The proof is not valid.");
    return proof;
  }

  #isNew(nonce: string): boolean {
    const now = this.#options.clock.elapsedMs();
    // Keep each nonce for as long as its timestamp is within the window.
    if (now - this.#turnedMs > 2 * WINDOW_MS) {
      [this.#earlierNonces, this.#nonces, this.#turnedMs] = [this.#nonces, new Set(), now];
    }
    if (this.#nonces.has(nonce) || this.#earlierNonces.has(nonce)) return false;
    this.#nonces.add(nonce);
    if (this.#nonces.size >= MAX_SEEN) {
      [this.#start, this.#nonces, this.#earlierNonces] = [this.#options.proofs.newNonce(), new Set(), new Set()];
    }
    return true;
  }
}
