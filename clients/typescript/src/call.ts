import { type Limit, attempt } from "./attempt.ts";
import type { OperationId } from "./generated/operations.ts";
import { pauseBefore } from "./pause.ts";
import type { Settings } from "./settings.ts";
import { type AnswerOf, type BodyOf, createSend } from "./transport.ts";

/** Options for a single call. */
export interface CallOptions {
  /** Cancels the call when it aborts. The call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls an operation, and retries it where that is safe.
 * @throws {RemoteBrowserError} The last attempt's error.
 */
export type Call = <Id extends OperationId>(
  operation: Id,
  body: BodyOf<Id>,
  options: CallOptions,
) => Promise<AnswerOf<Id>>;

export function createCall(settings: Settings): Call {
  const send = createSend(settings);
  return async (operation, body, { signal }) => {
    const endsAt = performance.now() + settings.totalTimeoutMs;
    const request = { operation, body: body === undefined ? undefined : JSON.stringify(body) };
    for (let repeats = 0; ; repeats++) {
      const limit = limitOf(operation, settings, endsAt - performance.now());
      const attempted = await attempt(send, settings, request, limit, signal);
      if ("answer" in attempted) return attempted.answer;
      const pauseMs =
        repeats < settings.retries ? pauseBefore(attempted, operation, repeats, Math.random()) : undefined;
      if (pauseMs === undefined || pauseMs >= endsAt - performance.now()) throw attempted.error;
      await wait(pauseMs, signal);
    }
  };
}

/** A language model may take minutes to respond, so only the total timeout applies to a query. */
function limitOf(operation: OperationId, { timeoutMs }: Settings, leftMs: number): Limit {
  return operation !== "queryAi" && timeoutMs < leftMs
    ? { ms: timeoutMs, setting: "timeoutMs" }
    : { ms: leftMs, setting: "totalTimeoutMs" };
}

/** @throws The signal's reason, as soon as the signal aborts. */
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
