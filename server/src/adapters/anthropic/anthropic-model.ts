import Anthropic, { BadRequestError } from "@anthropic-ai/sdk";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { sleep } from "../../concurrency/abortable.ts";
import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LanguageModel, Question } from "../../ports/language-model.ts";
import { newBoundedFetch } from "./bounded-fetch.ts";
import { type ClassifiedError, classifyError } from "./provider-failure.ts";
import { type ProviderSchema, toProviderSchema } from "./provider-schema.ts";
import { readAnswer } from "./read-answer.ts";

/** Pause before the only retry after a temporary failure. */
const RETRY_DELAY_MS = 500;
/** Maximum size of an answer. A token in an event of its own takes about 200 bytes. */
const [BYTES_PER_TOKEN, OTHER_BYTES] = [512, 2 ** 20] as const;
/** Longer waits are left to the caller, which doesn't hold a permit while waiting. */
const MAX_OWN_WAIT_S = 2;

export type AnthropicOptions = {
  /** Undefined for the provider's default. */
  readonly baseUrl: URL | undefined;
  readonly model: string;
  /** Maximum number of tokens in an answer, including thinking. */
  readonly maxOutputTokens: number;
  readonly clock: Clock;
};

type Caller = { readonly client: Anthropic; readonly onTokens: (tokens: number) => void };

/** Uses Anthropic's Messages API, directly or through a gateway. Streams responses so that long ones don't time out. */
export class AnthropicModel implements LanguageModel {
  readonly #options: AnthropicOptions;

  constructor(options: AnthropicOptions) {
    this.#options = options;
  }

  async answer(
    question: Question,
    credential: string,
    onTokens: (tokens: number) => void,
    signal: AbortSignal,
  ): Promise<string> {
    const caller = { client: this.#newClient(credential), onTokens };
    const format = question.schema === undefined ? undefined : toProviderSchema(question.schema);
    try {
      const text = await this.#askWithRetry(caller, toRequest(question, format, this.#options), signal);
      return format?.isWrapped === true ? unwrap(text) : text;
    } catch (error) {
      // The provider refuses some documented schemas, and some models refuse all. The prompt also contains the schema.
      if (format === undefined || !(error instanceof RequestRefused)) throw error;
      return await this.#askWithRetry(caller, toRequest(question, undefined, this.#options), signal);
    }
  }

  async #askWithRetry(caller: Caller, request: MessageCreateParamsStreaming, signal: AbortSignal): Promise<string> {
    const first = await this.#ask(caller, request, signal);
    if (typeof first === "string") return first;
    const { failure, isTemporary } = first;
    const delayMs = failure.retryAfterS === undefined ? RETRY_DELAY_MS : failure.retryAfterS * 1000;
    if (!isTemporary || delayMs > MAX_OWN_WAIT_S * 1000) throw failure;
    await sleep(delayMs, this.#options.clock, signal);
    signal.throwIfAborted();
    const second = await this.#ask(caller, request, signal);
    if (typeof second === "string") return second;
    throw second.failure;
  }

  async #ask(
    { client, onTokens }: Caller,
    request: MessageCreateParamsStreaming,
    signal: AbortSignal,
  ): Promise<string | ClassifiedError> {
    let isAnswering = false;
    try {
      const stream = await client.messages.create(request, { signal });
      isAnswering = true;
      const text = await readAnswer(stream, onTokens);
      signal.throwIfAborted();
      return text;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      const verdict = classifyError(error, this.#options.clock.now());
      if (error instanceof BadRequestError) throw new RequestRefused(verdict.failure);
      // A partial answer has been billed, and a retry may fail at the same point.
      return { ...verdict, isTemporary: verdict.isTemporary && !isAnswering };
    }
  }

  #newClient(apiKey: string): Anthropic {
    const { baseUrl, maxOutputTokens } = this.#options;
    return new Anthropic({
      apiKey,
      baseURL: baseUrl?.href.replace(/\/+$/, "") ?? "https://api.anthropic.com",
      // The SDK's retries would keep the page in memory for as long as the provider asks to wait.
      maxRetries: 0,
      // The SDK logs requests and answers that it can't parse.
      logLevel: "off",
      openTelemetry: { propagation: false, traces: false },
      // If omitted, this unused key would be read from the environment.
      webhookKey: null,
      fetchOptions: { redirect: "error" },
      fetch: newBoundedFetch(maxOutputTokens * BYTES_PER_TOKEN + OTHER_BYTES),
    });
  }
}

class RequestRefused extends Failure {
  constructor({ failure, message, cause }: Failure) {
    super(failure, message, { cause });
  }
}

function toRequest(
  { instructions, turns }: Question,
  format: ProviderSchema | undefined,
  { model, maxOutputTokens }: AnthropicOptions,
): MessageCreateParamsStreaming {
  return {
    model,
    max_tokens: maxOutputTokens,
    stream: true,
    system: instructions,
    messages: turns.map(({ role, text }) => ({ role, content: text })),
    ...(format === undefined ? {} : { output_config: { format: { type: "json_schema", schema: format.schema } } }),
  };
}

/** Unwraps the value from its object. Returns other text unchanged, for a later check to reject. */
function unwrap(text: string): string {
  const [, inner] = /^\s*\{\s*"value"\s*:(.*)\}\s*$/s.exec(text) ?? [];
  return inner?.trim() ?? text;
}
