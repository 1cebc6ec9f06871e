import { INTRODUCE } from "../../ports/cluster/call-proofs.ts";
import type { ClusterKeys } from "../../ports/cluster/cluster-certificates.ts";
import type { WorkerCallName } from "../../ports/cluster/worker-call-rules.ts";
import { WorkerUnreachable } from "../../ports/cluster/worker-calls.ts";
import { isRefusal, UnreadAnswer } from "./post.ts";

/** Name of a call, or of the request for an introduction. */
export type AskedName = WorkerCallName | typeof INTRODUCE;

/** Maximum number of characters to search for a refusal's reason. */
const MAX_REFUSAL_CHARACTERS = 4096;

type Asked = {
  readonly target: URL;
  readonly name: AskedName;
  readonly keys: ClusterKeys | undefined;
};

/** @param isSent Whether the worker may have received any of the request. */
export function toLost({ target, name, keys }: Asked, isSent: boolean, cause: unknown): WorkerUnreachable {
  const what = isRefusal(cause)
    ? "doesn't accept this front-end's certificate (RBS_CLUSTER_CERT_FILE)"
    : cause instanceof UnreadAnswer
      ? `sent a response to ${name} that was not read to the end, because ${cause.message}`
      : isSent
        ? `lost the connection during the call ${name}`
        : `can't be reached for the call ${name}`;
  const hint =
    isSent && keys ? " If the worker rejected this front-end's certificate, its log says so in tls.refused." : "";
  const isOutcomeUnknown = isSent && name !== INTRODUCE;
  return new WorkerUnreachable(`The worker at ${target.host} ${what}.${hint}`, { isOutcomeUnknown, cause });
}

/** Returns the error for a request that the worker refused before making the call. @param status 4xx. */
export function toRefused({ host }: URL, name: AskedName, status: number, text: string): WorkerUnreachable {
  const isMisdirected = status === 421;
  const words = `The worker at ${host} ${toWords(status, text, name)}`;
  return new WorkerUnreachable(words, { isOutcomeUnknown: false, isMisdirected });
}

function toWords(status: number, text: string, name: AskedName): string {
  if (status === 401)
    return "doesn't accept this front-end's cluster secret. Give all servers the same RBS_CLUSTER_SECRET_FILE. If they already have it, the worker is older than this front-end, or its RBS_WORKER_URL points to another worker: update workers before front-ends.";
  if (status === 404)
    return `responded to ${name} with 404. Check that its RBS_WORKER_URL points to the worker itself, not to a proxy or a front-end. If the URL is correct, the worker is older than this front-end: update the worker.`;
  const [, reason = `The response status is ${status}.`] =
    /"message":"([^"\\]{1,1000})"/.exec(text.slice(0, MAX_REFUSAL_CHARACTERS)) ?? [];
  return `refused ${name}: ${reason}`;
}
