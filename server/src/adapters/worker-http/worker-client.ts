import * as http from "node:http";
import * as https from "node:https";
import { withTimeout } from "../../concurrency/abortable.ts";
import { Failure } from "../../domain/failure.ts";
import { fromWire, toWire } from "../../domain/wire-values.ts";
import {
  CALLS_VERSION,
  type CallArguments,
  type CallResult,
  SHORT_ANSWER_BYTES,
  toCallUrl,
  VERSION_HEADER,
  WORKER_CALLS,
  WORKER_HEADER,
  type WorkerCallName,
} from "../../ports/cluster/worker-call-rules.ts";
import {
  type WorkerAddress,
  type WorkerCalls,
  type WorkerClient,
  WorkerUnreachable,
} from "../../ports/cluster/worker-calls.ts";
import { ArrivingAnswers } from "./arriving-answers.ts";
import { type IntroductionOptions, Introductions } from "./introductions.ts";
import { type Answer, post, type Progress } from "./post.ts";
import { toLost, toRefused } from "./unreachable.ts";

type ClientOptions = IntroductionOptions & {
  /** Returns the id of the current request, for the worker's log; undefined outside requests. */
  readonly readRequestId: () => string | undefined;
  /** Maximum total size of the long responses being received. Set only in tests. */
  readonly maxArrivingBytes?: number;
};

/** Maximum idle connections per worker, which Node closes a second before the worker's Keep-Alive timeout. */
const MAX_IDLE = 16;

/** Maximum total size of the long responses being received: twice the longest possible response. */
const MAX_ARRIVING_BYTES = 192 * 2 ** 20;

/** Maximum length of a response, excluding its picture. Limits the time for parsing. */
const MAX_PARSED_CHARACTERS = 2 ** 18;
const [BYTES_START, BYTES_END] = ['"$bytes":"', '"'] as const;

/** Calls workers over HTTP. */
export function newWorkerClient(options: ClientOptions): WorkerClient {
  const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE };
  const agents = { "http:": new http.Agent(kept), "https:": new https.Agent(kept) };
  const arriving = new ArrivingAnswers(options.maxArrivingBytes ?? MAX_ARRIVING_BYTES);
  const introductions = new Introductions(options);
  return {
    at(worker) {
      const agent = worker.url.startsWith("https:") ? agents["https:"] : agents["http:"];
      const own = { ...options, worker, agent, introductions, arriving };
      const names = Object.keys(WORKER_CALLS) as WorkerCallName[];
      // The table contains all calls, so the object has all methods.
      return Object.fromEntries(
        names.map((name) => [name, (...given: Parameters<WorkerCalls[typeof name]>) => call(name, given, own)]),
      ) as unknown as WorkerCalls;
    },
    async verify(worker, signal) {
      await introductions.meet(worker, signal);
    },
    async [Symbol.asyncDispose]() {
      introductions[Symbol.dispose]();
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

type CallOptions = ClientOptions & {
  readonly worker: WorkerAddress;
  readonly agent: http.Agent;
  readonly introductions: Introductions;
  readonly arriving: ArrivingAnswers;
};

async function call<Name extends WorkerCallName>(
  name: Name,
  given: Parameters<WorkerCalls[Name]>,
  { worker, agent, introductions, arriving, certificates, clock, readRequestId, version = CALLS_VERSION }: CallOptions,
): Promise<CallResult<Name>> {
  const { hasSignal, isRepeatable, maxMs, maxBytes } = WORKER_CALLS[name];
  const signal = hasSignal ? (given.at(-1) as AbortSignal) : undefined;
  const sent = (hasSignal ? given.slice(0, -1) : given) as CallArguments<Name>;
  const requestId = readRequestId();
  const headers = {
    "Content-Type": "application/json",
    [VERSION_HEADER]: String(version),
    [WORKER_HEADER]: name === "openPlaced" ? `${worker.id} ${worker.instance}` : worker.id,
    ...(requestId !== undefined && { "X-Request-Id": requestId }),
  };
  const body = JSON.stringify(toWire(sent));
  const target = new URL(toCallUrl(worker.url, name));
  const keys = certificates?.current;
  const timeoutMs = maxMs(sent);
  const limits = { maxBytes, arriving: maxBytes > SHORT_ANSWER_BYTES ? arriving : undefined };
  const progress: Progress = { isSent: false, isStale: false };
  const toError = (): Error =>
    new WorkerUnreachable(`The worker at ${target.host} didn't respond to ${name} within ${timeoutMs} ms.`, {
      isOutcomeUnknown: progress.isSent,
    });

  const answer = await withTimeout({ timeoutMs, clock, toError, ...(signal && { signal }) }, async (either) => {
    const send = async (through: http.Agent | false, isLast = false): Promise<Answer> => {
      const known = await introductions.meet(worker, either);
      const proven = { ...headers, Authorization: introductions.prove(worker, known, name, body) };
      const options = { headers: proven, body, agent: through, keys, clock, signal: either, ...limits };
      const answered = await post(target, progress, options);
      if (answered.status !== 401 || isLast) return answered;
      // The worker hasn't executed the call, for example because it has restarted.
      introductions.forget(worker, known);
      progress.isSent = false;
      return send(through, true);
    };
    try {
      // Calls that can't be repeated use a new connection, because the worker may be closing an idle one.
      return await send(isRepeatable && agent).catch((error: unknown) => {
        if (!progress.isStale) throw error;
        return send(false);
      });
    } catch (cause) {
      either.throwIfAborted();
      if (cause instanceof WorkerUnreachable) throw cause;
      throw toLost({ target, name, keys }, progress.isSent, cause);
    }
  });
  return readResult(answer, target, name);
}

/** @throws {Failure} The worker's failure. @throws {WorkerUnreachable} If the response is invalid. */
function readResult<Name extends WorkerCallName>({ status, text }: Answer, target: URL, name: Name): CallResult<Name> {
  if (status >= 400 && status < 500) throw toRefused(target, name, status, text);
  let outcome;
  try {
    if (status !== 200) throw new Error(`The response status is ${status}.`);
    checkLength(text);
    outcome = fromWire(JSON.parse(text)) as {
      readonly is?: unknown;
      readonly result: CallResult<Name>;
      failure: unknown;
    };
    if (outcome?.is === "done") return outcome.result;
    if (!(outcome?.failure instanceof Failure))
      throw new Error("The response contains neither a result nor a failure.");
  } catch (cause) {
    throw new WorkerUnreachable(`The worker at ${target.host} failed to process ${name}.`, {
      isOutcomeUnknown: true,
      cause,
    });
  }
  throw outcome.failure;
}

/** @throws {Error} If a response is too long, excluding its picture. */
function checkLength(text: string): void {
  const start = text.indexOf(BYTES_START);
  const pictureLength = start === -1 ? 0 : text.indexOf(BYTES_END, start + BYTES_START.length) - start;
  if (text.length - pictureLength > MAX_PARSED_CHARACTERS)
    throw new Error("The response is too long, excluding its picture.");
}
