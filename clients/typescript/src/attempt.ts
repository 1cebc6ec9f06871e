import { cleanCause } from "./clean-cause.ts";
import { isFetchTimeout, isForbiddenPort, isNotSent, isTlsFailure, wordsOf } from "./fetch-failure.ts";
import type { OperationId } from "./generated/operations.ts";
import type { Failed } from "./pause.ts";
import { readAnswer } from "./read-answer.ts";
import { readError } from "./read-error.ts";
import { ConnectionError, InvalidAnswerError, TimeoutError } from "./remote-browser-error.ts";
import { withoutSecrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import type { Answer, AnswerOf, Send } from "./transport.ts";

/** An attempt's time limit, and a description that names the setting. */
export type Limit = { readonly ms: number; readonly description: string };

export type Attempted<Id extends OperationId> = { readonly answer: AnswerOf<Id> } | Failed;

/**
 * Makes one attempt, from connecting to the last byte of the response.
 * @throws The signal's reason if the caller aborts.
 * @throws {InvalidAnswerError} If a successful response doesn't match the contract. A retry would fail in the same way.
 */
export async function attempt<Id extends OperationId>(
  send: Send,
  settings: Settings,
  request: { readonly operation: Id; readonly body: string | undefined; readonly key: string | undefined },
  limit: Limit,
  caller: AbortSignal | undefined,
): Promise<Attempted<Id>> {
  const stop = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, limit.ms);
  const follow = (): void => stop.abort(caller?.reason);
  caller?.addEventListener("abort", follow);
  let answer: Answer;
  try {
    caller?.throwIfAborted();
    // A custom `fetch` may ignore the signal.
    answer = await Promise.race([
      send(request.operation, request.body, stop.signal, request.key),
      rejection(stop.signal),
    ]);
  } catch (error) {
    caller?.throwIfAborted();
    if (error instanceof InvalidAnswerError) throw error;
    if (!isLate) return toFailed(settings, error);
    const message = `No complete response from ${hostOf(settings.url)} within ${limit.description}.`;
    return { how: "lost", error: new TimeoutError(message) };
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", follow);
  }
  if (answer.response.ok) return { answer: readAnswer(request.operation, answer, settings.token) };
  const { error, isOurs } = readError(answer, settings);
  return { how: isOurs ? "refused" : "not from the service", error };
}

async function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

function toFailed({ url, token }: Settings, thrown: unknown): Failed {
  const host = hostOf(url);
  const words = withoutSecrets(wordsOf(thrown), token);
  const options = { cause: cleanCause(thrown, token) };
  const fail = (how: "lost" | "not possible" | "not sent", message: string): Failed => ({
    how,
    error: new ConnectionError(message, options),
  });
  if (isFetchTimeout(thrown)) {
    const message = `No complete response from ${host} within fetch's own time limit: ${words}`;
    return { how: "lost", error: new TimeoutError(message, options) };
  }
  if (isForbiddenPort(thrown)) {
    const why = "fetch blocks this port. Use another port in `url`.";
    return fail("not possible", `Could not connect to ${host}: ${why}`);
  }
  if (isNotSent(thrown)) return fail("not sent", `Could not connect to ${host}: ${words}`);
  if (isTlsFailure(thrown)) return fail("not possible", `Could not set up TLS with ${host}: ${words}`);
  return fail("lost", `The connection to ${host} was lost before the response was complete: ${words}`);
}

/** Returns the host and port, including a default port. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
}
