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

/** How old a proof may be, or how far ahead, in ms. */
const WINDOW_MS = 30_000;
/** How many calls are remembered, so that they can't be repeated. After more, front-ends ask for another start. */
const MAX_SEEN = 10_000;

export type CallGuardOptions = {
  /** Front-ends have to know one of these. */
  readonly secrets: readonly string[];
  readonly worker: {
    readonly id: string;
    /** The id of its present start. */
    readonly instance: string;
    /** Where front-ends reach it. */
    readonly url: string;
  };
  readonly clock: Pick<Clock, "elapsedMs">;
  readonly proofs: CallProofs;
};

/** Decides whether a call comes from a front-end of the cluster, and was meant for this start of this worker. */
export class CallGuard {
  readonly #options: CallGuardOptions;
  #start: string;
  #nonces = new Set<string>();
  /** Those before, which still have to be refused. */
  #earlierNonces: ReadonlySet<string> = new Set();
  #turnedMs = -Infinity;

  constructor(options: CallGuardOptions) {
    this.#options = options;
    this.#start = options.proofs.newNonce();
  }

  /**
   * Finds out whether a call is for this worker and its present start. Check this before the proof, which never fits if
   * the call is for another worker.
   * @param header The worker that a call is for, as in `WORKER_HEADER`; undefined: an earlier front-end doesn't say.
   * @returns Why it isn't; undefined: it is.
   */
  findMisdirection(header: string | undefined): string | undefined {
    const { id, instance } = this.#options.worker;
    const [wantedId = id, wantedInstance = instance] = header?.split(" ") ?? [];
    if (wantedId !== id)
      return "This is another worker than the call is for. Give each worker an RBS_WORKER_URL of its own, which leads to it.";
    return wantedInstance === instance ? undefined : "The call is for another start of this worker.";
  }

  /**
   * @param version Of the front-end's calls.
   * @returns What the body has to match; undefined: a front-end of the first version sends the secret itself.
   * @throws {Failure} `AuthorizationError`.
   */
  check(name: string, header: string | undefined, version: number): CallProof | undefined {
    const { proofs, secrets } = this.#options;
    if (version < FIRST_PROVEN && proofs.hasSecret(secrets, header)) return undefined;
    const proof = this.#read(name, header);
    const { start, elapsedMs } = this.#now;
    if (proof.start !== start || Math.abs(proof.sentMs - elapsedMs) > WINDOW_MS || !this.#isNew(proof.nonce))
      throw new Failure("AuthorizationError", "The proof is not valid any more.");
    return proof;
  }

  /** Proves that this is the worker. @throws {Failure} `AuthorizationError`. */
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
    // A nonce is refused for as long as its time is accepted.
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
