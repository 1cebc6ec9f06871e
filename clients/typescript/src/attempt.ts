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

/** How long an attempt may take, and a description of this limit with the setting that it comes from. */
export type Limit = { readonly ms: number; readonly description: string };

export type Attempted<Id extends OperationId> = { readonly answer: AnswerOf<Id> } | Failed;

/**
 * Makes one attempt, from connecting to the last byte of the response.
 * @throws The signal's reason if the caller aborts; an InvalidAnswerError, because a retry would fail the same way.
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
    if (isLate) return { how: "lost", error: toTimeout(settings, limit) };
    return toFailed(settings, error);
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

function toTimeout({ url }: Settings, { description }: Limit): TimeoutError {
  return new TimeoutError(`No complete response from ${hostOf(url)} within ${description}.`);
}

function toFailed({ url, token }: Settings, thrown: unknown): Failed {
  const words = withoutSecrets(wordsOf(thrown), token);
  const cause = cleanCause(thrown, token);
  if (isFetchTimeout(thrown)) {
    const message = `No complete response from ${hostOf(url)} within fetch's own time limit: ${words}`;
    return { how: "lost", error: new TimeoutError(message, { cause }) };
  }
  if (isForbiddenPort(thrown)) {
    const message = `Could not connect to ${hostOf(url)}: fetch doesn't allow this port, so \`url\` must have another one.`;
    return { how: "not possible", error: new ConnectionError(message, { cause }) };
  }
  if (isNotSent(thrown)) {
    return { how: "not sent", error: new ConnectionError(`Could not connect to ${hostOf(url)}: ${words}`, { cause }) };
  }
  if (isTlsFailure(thrown)) {
    const message = `Could not set up TLS with ${hostOf(url)}: ${words}`;
    return { how: "not possible", error: new ConnectionError(message, { cause }) };
  }
  const message = `The connection to ${hostOf(url)} was lost before the response was complete: ${words}`;
  return { how: "lost", error: new ConnectionError(message, { cause }) };
}

/** Host and port, including a default port. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === "" ? (protocol === "https:" ? 443 : 80) : port}`;
}
