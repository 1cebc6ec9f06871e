import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { CallProof, CallProofs, CallTarget, Introduction, WorkerStart } from "../../ports/cluster/call-proofs.ts";

const PROOF =
  /^cluster (?<start>[\w-]{0,22})\.(?<sentMs>-?\d{1,15})\.(?<nonce>[\w-]{22})\.(?<bodyHash>[\w-]{43})\.(?<mac>[\w-]{43})$/i;

/** Returns a call's `Authorization` header, and the values that it is bound to. */
export function proveCall(
  secret: string,
  target: CallTarget,
  { start, elapsedMs }: WorkerStart,
  body: string,
): CallProof & { readonly header: string } {
  const sentMs = Math.round(elapsedMs);
  const proof = { start, sentMs, nonce: newNonce(), bodyHash: hashBody(body) };
  const { nonce, bodyHash } = proof;
  return { ...proof, header: `Cluster ${start}.${sentMs}.${nonce}.${bodyHash}.${signCall(secret, target, proof)}` };
}

export const callProofs: CallProofs = {
  readProof(secrets, target, header) {
    const { start = "", sentMs, nonce = "", bodyHash = "", mac = "" } = PROOF.exec(header ?? "")?.groups ?? {};
    const proof = { start, sentMs: Number(sentMs), nonce, bodyHash };
    const [secret] = secrets.filter((each) => isEqual(mac, signCall(each, target, proof)));
    return secret === undefined ? undefined : { ...proof, secret };
  },
  proveWorker,
  hasSecret(secrets, header) {
    const [, sent] = /^bearer +(\S+)\s*$/i.exec(header ?? "") ?? [];
    if (sent === undefined) return false;
    return secrets.filter((each) => isEqual(hashBody(each), hashBody(sent))).length > 0;
  },
  hashBody,
  newNonce,
};

/** Whether the response to the call with this nonce proves that the worker knows the secret. */
export function isProven(secret: string, worker: string, nonce: string, answer: unknown): answer is Introduction {
  const { start, elapsedMs, proof } = (answer ?? {}) as Partial<Record<keyof Introduction, unknown>>;
  if (typeof start !== "string" || typeof elapsedMs !== "number" || typeof proof !== "string") return false;
  return isEqual(proof, proveWorker(secret, worker, nonce, { start, elapsedMs }).proof);
}

function proveWorker(secret: string, worker: string, nonce: string, at: WorkerStart): Introduction {
  return { ...at, proof: sign(secret, ["worker", worker, nonce, at.start, at.elapsedMs]) };
}

function hashBody(body: string | Uint8Array): string {
  return hash("sha256", body, "base64url");
}

function newNonce(): string {
  return randomBytes(16).toString("base64url");
}

function signCall(secret: string, { worker, url }: CallTarget, { start, sentMs, nonce, bodyHash }: CallProof): string {
  return sign(secret, ["call", worker, url, start, sentMs, nonce, bodyHash]);
}

/** Signs the values as JSON, so that the boundaries between them are unambiguous. */
function sign(secret: string, facts: readonly (string | number)[]): string {
  return createHmac("sha256", secret).update(JSON.stringify(facts)).digest("base64url");
}

/** Compares strings in constant time. */
function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
