/*
 * Front-ends don't send the cluster's secret to workers, because a URL in the database may be wrong. Instead, a worker
 * first introduces itself and proves that it knows the secret. Each later call carries a proof that is valid only for
 * one worker, URL, body and time.
 */

/** The call with which a worker introduces itself. Its proof contains an empty start and the time 0. */
export const INTRODUCE = "introduce";

export type CallTarget = {
  readonly worker: string;
  /** The URL of the call, which begins with the worker's URL. */
  readonly url: string;
};

/** One run of a worker's process. */
export type WorkerStart = {
  /** A random id. */
  readonly start: string;
  /** The worker's monotonic clock (`Clock.elapsedMs`), in ms. */
  readonly elapsedMs: number;
};

/** A worker's response to an introduction. */
export type Introduction = WorkerStart & { readonly proof: string };

export type CallProof = {
  readonly start: string;
  /** When the call was sent, according to the worker's clock. */
  readonly sentMs: number;
  /** Unique to each call. */
  readonly nonce: string;
  readonly bodyHash: string;
};

/** Reads and creates proofs on a worker. Comparisons take constant time, so they reveal nothing about the secrets. */
export interface CallProofs {
  /** @returns The proof in the `Authorization` header and its secret; undefined if the proof isn't for this call. */
  readProof(
    secrets: readonly string[],
    target: CallTarget,
    header: string | undefined,
  ): (CallProof & { readonly secret: string }) | undefined;
  /** @param nonce The nonce of the introduction call. */
  proveWorker(secret: string, worker: string, nonce: string, at: WorkerStart): Introduction;
  /** Whether a header contains one of the secrets in clear text, as sent by version 1 front-ends. */
  hasSecret(secrets: readonly string[], header: string | undefined): boolean;
  hashBody(body: string | Uint8Array): string;
  /** Returns 22 random characters. */
  newNonce(): string;
}
