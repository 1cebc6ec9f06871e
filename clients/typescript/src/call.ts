import { type Limit, attempt } from "./attempt.ts";
import { isNode } from "./environment.ts";
import { OPERATIONS, type OperationId } from "./generated/operations.ts";
import { newKey, readKey } from "./idempotency-key.ts";
import { mayHaveHappened, pauseBefore } from "./pause.ts";
import { IS_IDEMPOTENT } from "./retry-rules.ts";
import type { Settings } from "./settings.ts";
import { type AnswerOf, type BodyOf, createSend } from "./transport.ts";

/** Options for a single call. */
export interface CallOptions {
  /** Cancels the call. If the signal aborts, the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for opening a browser. */
export interface OpenCallOptions extends CallOptions {
  /**
   * All calls with the same key and options return the same browser, even if your program restarts in between. The key
   * is valid until 24 hours after the browser has ended. 1 to 255 visible ASCII characters. Contract version 1.0
   * ignores the key. Default: a new key for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

type InternalOptions = OpenCallOptions & {
  /** Maximum time by which the service may delay its response. Extends the timeout of each attempt. */
  readonly mayWaitMs?: number;
};

/** Calls an operation, and retries it if retrying is safe. @throws {RemoteBrowserError} The last attempt's error. */
export type Call = <Id extends OperationId>(
  operation: Id,
  body: BodyOf<Id>,
  options: InternalOptions,
) => Promise<AnswerOf<Id>>;

export function createCall(settings: Settings): Call {
  const send = createSend(settings);
  // Whether the service is known to have contract version 1.1, in which a key opens only one browser.
  let hasKeys = false;
  return async (operation, body, options) => {
    const key = operation === "openBrowser" ? chooseKey(options.idempotencyKey) : undefined;
    const endsAt = performance.now() + settings.totalTimeoutMs;
    return run(operation, body, key, options.signal, endsAt, options.mayWaitMs);
  };

  /** In web pages, the CORS rules of contract version 1.0 would block a request with an `Idempotency-Key`. */
  function chooseKey(given: string | null | undefined): string | undefined {
    if (given !== undefined && given !== null) return readKey(given);
    return isNode() || hasKeys ? newKey() : undefined;
  }

  async function run<Id extends OperationId>(
    operation: Id,
    body: BodyOf<Id>,
    key: string | undefined,
    signal: AbortSignal | undefined,
    endsAt: number,
    mayWaitMs = 0,
  ): Promise<AnswerOf<Id>> {
    const request = { operation, body: write(operation, body), key };
    const isRepeatable = IS_IDEMPOTENT[operation] || key !== undefined;
    for (let repeats = 0; ; repeats++) {
      const limit = limitOf(operation, settings, mayWaitMs, endsAt - performance.now());
      const attempted = await attempt(send, settings, request, limit, signal);
      if ("answer" in attempted) {
        // In version 1.0, the response to an Open request has no id.
        if (operation === "openBrowser" && "id" in attempted.answer) hasKeys = true;
        return attempted.answer;
      }
      const pauseMs =
        repeats < settings.retries ? pauseBefore(attempted, isRepeatable, repeats, Math.random()) : undefined;
      if (pauseMs === undefined || pauseMs >= endsAt - performance.now()) throw attempted.error;
      await wait(pauseMs, signal);
      const needsKey = !IS_IDEMPOTENT[operation] && mayHaveHappened(attempted);
      if (needsKey && !(await proveKeys(signal, endsAt))) throw attempted.error;
    }
  }

  /**
   * Checks whether the service supports keys, by calling an operation that was added in the same version. Only a
   * successful response proves that the service has this version: version 1.0 may check the token or the rate limit
   * before the path. Failures aren't cached, because the service may be updated.
   */
  async function proveKeys(signal: AbortSignal | undefined, endsAt: number): Promise<boolean> {
    if (hasKeys) return true;
    try {
      await run("getAccount", undefined, undefined, signal, endsAt);
      hasKeys = true;
    } catch {
      signal?.throwIfAborted();
    }
    return hasKeys;
  }
}

/** Writes JSON, or the query of a GET request. */
function write<Id extends OperationId>(operation: Id, body: BodyOf<Id>): string | undefined {
  if (body === undefined) return undefined;
  const isQuery = OPERATIONS[operation].method === "get";
  return isQuery ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body);
}

/** A language model may take minutes to respond, so only the total timeout applies to a query. */
function limitOf(
  operation: OperationId,
  { timeoutMs, totalTimeoutMs }: Settings,
  mayWaitMs: number,
  leftMs: number,
): Limit {
  const ms = timeoutMs + mayWaitMs;
  if (operation === "queryAi" || ms >= leftMs) {
    return { ms: leftMs, description: `${totalTimeoutMs} ms (\`totalTimeoutMs\`)` };
  }
  const origin = mayWaitMs > 0 ? "`timeoutMs` and `waitForPlace`" : "`timeoutMs`";
  return { ms, description: `${ms} ms (${origin})` };
}

/** @throws The signal's reason, immediately when the signal aborts. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted === true) end();
  });
  signal?.throwIfAborted();
}
