import * as http from "node:http";
import * as https from "node:https";
import { withTimeout } from "../../concurrency/abortable.ts";
import { Failure } from "../../domain/failure.ts";
import { fromWire, toWire } from "../../domain/wire-values.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterCertificates } from "../../ports/cluster-certificates.ts";
import {
  CALL_PATH,
  CALLS_VERSION,
  type CallArguments,
  type CallResult,
  VERSION_HEADER,
  WORKER_CALLS,
  type WorkerCallName,
} from "../../ports/worker-call-rules.ts";
import { type WorkerCalls, type WorkerClient, WorkerUnreachable } from "../../ports/worker-calls.ts";
import { type Answer, type AnswerBudget, AnswerTooLong, isRefusal, post, type Progress } from "./post.ts";

type ClientOptions = {
  /** The secret that workers accept. */
  readonly secret: string;
  /** Undefined: workers are reached over HTTP, or have a proxy with a public certificate. */
  readonly certificates?: Pick<ClusterCertificates, "current"> | undefined;
  readonly clock: Pick<Clock, "after">;
  /** The id of the request that is being served, for the worker's log; undefined outside of one. */
  readonly readRequestId: () => string | undefined;
  /** Of the calls; for tests. */
  readonly version?: number;
  /** Of all answers that are arriving; for tests. */
  readonly maxArrivingBytes?: number;
};

/** Idle connections to each worker. Node closes them a second before the worker would: its answers say when that is. */
const MAX_IDLE = 16;

/** Of all answers that are arriving: two of the longest ones. Whatever a worker's URL leads to, it gets no more memory. */
const MAX_ARRIVING_BYTES = 192 * 2 ** 20;

/** Of an answer, without the bytes of a picture. More would take its time to parse. */
const MAX_PARSED_CHARACTERS = 2 ** 18;
/** Of a refusal, to find its reason in. */
const MAX_REFUSAL_CHARACTERS = 4096;
const [BYTES_START, BYTES_END] = ['"$bytes":"', '"'] as const;

/** Calls workers over HTTP. */
export function newWorkerClient(options: ClientOptions): WorkerClient {
  const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE };
  const agents = { "http:": new http.Agent(kept), "https:": new https.Agent(kept) };
  const budget: AnswerBudget = { bytesLeft: options.maxArrivingBytes ?? MAX_ARRIVING_BYTES };
  return {
    at(url) {
      const base = url.replace(/\/+$/, "") + CALL_PATH;
      const agent = base.startsWith("https:") ? agents["https:"] : agents["http:"];
      const names = Object.keys(WORKER_CALLS) as WorkerCallName[];
      // The table has all calls, so the object has all methods.
      return Object.fromEntries(
        names.map((name) => [
          name,
          (...given: Parameters<WorkerCalls[typeof name]>) =>
            call(new URL(base + name), name, given, { agent, budget, ...options }),
        ]),
      ) as unknown as WorkerCalls;
    },
    async [Symbol.asyncDispose]() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

async function call<Name extends WorkerCallName>(
  target: URL,
  name: Name,
  given: Parameters<WorkerCalls[Name]>,
  {
    agent,
    budget,
    secret,
    certificates,
    clock,
    readRequestId,
    version = CALLS_VERSION,
  }: ClientOptions & { readonly agent: http.Agent; readonly budget: AnswerBudget },
): Promise<CallResult<Name>> {
  const { hasSignal, isRepeatable, maxMs, maxBytes } = WORKER_CALLS[name];
  const signal = hasSignal ? (given.at(-1) as AbortSignal) : undefined;
  const sent = (hasSignal ? given.slice(0, -1) : given) as CallArguments<Name>;
  const requestId = readRequestId();
  const headers = {
    Authorization: `Bearer ${secret}`,
    "Content-Type": "application/json",
    [VERSION_HEADER]: String(version),
    ...(requestId !== undefined && { "X-Request-Id": requestId }),
  };
  const body = JSON.stringify(toWire(sent));
  const keys = certificates?.current;
  const where = `The worker at ${target.host}`;
  const timeoutMs = maxMs(sent);
  const progress: Progress = { isSent: false, isStale: false };
  const toError = (): Error =>
    new WorkerUnreachable(`${where} didn't answer ${name} within ${timeoutMs} ms.`, {
      isOutcomeUnknown: progress.isSent,
    });

  const answer = await withTimeout({ timeoutMs, clock, toError, ...(signal && { signal }) }, async (either) => {
    const send = (through: http.Agent | false): Promise<Answer> =>
      post(target, progress, { headers, body, agent: through, keys, clock, signal: either, maxBytes, budget });
    try {
      // A call that can't be repeated gets a connection that the worker hasn't begun to close.
      return await send(isRepeatable && agent).catch((error: unknown) => {
        if (!progress.isStale) throw error;
        return send(false);
      });
    } catch (cause) {
      either.throwIfAborted();
      const what = isRefusal(cause)
        ? "doesn't accept this front-end's certificate (RBS_CLUSTER_CERT_FILE)"
        : cause instanceof AnswerTooLong
          ? `sent too much as its answer to ${name}`
          : progress.isSent
            ? `lost the connection during the call ${name}`
            : `can't be reached for the call ${name}`;
      const hint =
        progress.isSent && keys ? " If it refuses this front-end's certificate, its log says so in tls.refused." : "";
      throw new WorkerUnreachable(`${where} ${what}.${hint}`, { isOutcomeUnknown: progress.isSent, cause });
    }
  });
  return readResult(answer, `${where} `, name);
}

/** @throws {Failure} The worker's. @throws {WorkerUnreachable} If the answer isn't one of the call. */
function readResult<Name extends WorkerCallName>(
  { status, text }: Answer,
  where: string,
  name: Name,
): CallResult<Name> {
  // It has refused the request before it made the call.
  if (status >= 400 && status < 500) {
    throw new WorkerUnreachable(where + toWords(status, text, name), { isOutcomeUnknown: false });
  }
  let outcome;
  try {
    if (status !== 200) throw new Error(`Its status is ${status}.`);
    checkLength(text);
    outcome = fromWire(JSON.parse(text)) as {
      readonly is?: unknown;
      readonly result: CallResult<Name>;
      failure: unknown;
    };
    if (outcome?.is === "done") return outcome.result;
    if (!(outcome?.failure instanceof Failure)) throw new Error("It has neither a result nor a failure.");
  } catch (cause) {
    throw new WorkerUnreachable(`${where}failed in ${name}.`, { isOutcomeUnknown: true, cause });
  }
  throw outcome.failure;
}

/** @throws {Error} If an answer is long for another reason than a picture. */
function checkLength(text: string): void {
  const start = text.indexOf(BYTES_START);
  const pictureLength = start === -1 ? 0 : text.indexOf(BYTES_END, start + BYTES_START.length) - start;
  if (text.length - pictureLength > MAX_PARSED_CHARACTERS) throw new Error("It is too long without its picture.");
}

function toWords(status: number, text: string, name: WorkerCallName): string {
  if (status === 401)
    return `doesn't accept this front-end's cluster secret. Give all servers the same RBS_CLUSTER_SECRET_FILE.`;
  if (status === 404)
    return `answered ${name} with 404. Check that its RBS_WORKER_URL leads to the worker itself, not to a proxy or a front-end. If it does, the worker is older than this front-end: update it.`;
  const [, reason = `Its status is ${status}.`] =
    /"message":"([^"\\]{1,1000})"/.exec(text.slice(0, MAX_REFUSAL_CHARACTERS)) ?? [];
  return `refused ${name}: ${reason}`;
}
