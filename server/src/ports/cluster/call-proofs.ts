/*
 * Front-ends don't send the cluster's secret to workers, because a URL in the database may be wrong. First, a worker
 * introduces itself, and proves that it knows the secret. Then each call has a proof that is worth nothing for another
 * worker, URL, body or moment.
 */

/** The call by which a worker introduces itself. Its proof has the start "" and the time 0. */
export const INTRODUCE = "introduce";

/** Which call of which worker. */
export type CallTarget = {
  /** The worker's id. */
  readonly worker: string;
  /** The URL of the call, which begins with the worker's own. */
  readonly url: string;
};

/** What a worker tells about its present start. */
export type WorkerStart = {
  /** Random. */
  readonly start: string;
  /** The worker's clock that can't be set (`Clock.elapsedMs`), in ms. */
  readonly elapsedMs: number;
};

/** What a worker's introduction answers. */
export type Introduction = WorkerStart & { readonly proof: string };

export type CallProof = {
  readonly start: string;
  /** When it was sent, on the worker's clock. */
  readonly sentMs: number;
  /** Different in each call. */
  readonly nonce: string;
  readonly bodyHash: string;
};

/** The proofs that a worker reads and makes. Comparing takes a time that reveals nothing about the secrets. */
export interface CallProofs {
  /**
   * @returns The proof in an `Authorization` header, and the secret that it was made with; undefined: it isn't one of
   *   this call.
   */
  readProof(
    secrets: readonly string[],
    target: CallTarget,
    header: string | undefined,
  ): (CallProof & { readonly secret: string }) | undefined;
  /** @param nonce Of the introduction that is answered. */
  proveWorker(secret: string, worker: string, nonce: string, at: WorkerStart): Introduction;
  /** Whether a header has one of the secrets itself, which front-ends of the first version send. */
  hasSecret(secrets: readonly string[], header: string | undefined): boolean;
  hashBody(body: string | Uint8Array): string;
  /** A random text of 22 characters. */
  newNonce(): string;
}
