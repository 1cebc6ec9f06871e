import Anthropic, { BadRequestError } from "@anthropic-ai/sdk";
import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { sleep } from "../../concurrency/abortable.ts";
import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LanguageModel, Question } from "../../ports/language-model.ts";
import { type Verdict, judge } from "./provider-failure.ts";
import { type ProviderSchema, toProviderSchema } from "./provider-schema.ts";
import { readAnswer } from "./read-answer.ts";

/** A failure that passes is given this long to do so, once. */
const RETRY_DELAY_MS = 500;
/** Who is told to wait longer waits himself, without a place here. */
const MAX_OWN_WAIT_S = 2;

export type AnthropicOptions = {
  /** Undefined: the provider's own. */
  readonly baseUrl: URL | undefined;
  readonly model: string;
  /** Tokens of one answer at most, the model's thoughts included. */
  readonly maxOutputTokens: number;
  readonly clock: Clock;
};

/** A model at Anthropic, or behind a gateway that speaks its Messages API. Answers are streamed, so that long ones live. */
export class AnthropicModel implements LanguageModel {
  readonly #options: AnthropicOptions;

  constructor(options: AnthropicOptions) {
    this.#options = options;
  }

  async answer(question: Question, credential: string, signal: AbortSignal): Promise<string> {
    const client = this.#newClient(credential);
    const format = question.schema === undefined ? undefined : toProviderSchema(question.schema);
    try {
      const text = await this.#askPatiently(client, toRequest(question, format, this.#options), signal);
      return format?.isWrapped === true ? unwrap(text) : text;
    } catch (error) {
      // The provider takes fewer schemas than it says, and some models none: the model has read the schema anyway.
      if (format === undefined || !(error instanceof NotTaken)) throw error;
      return await this.#askPatiently(client, toRequest(question, undefined, this.#options), signal);
    }
  }

  async #askPatiently(client: Anthropic, request: MessageCreateParamsStreaming, signal: AbortSignal): Promise<string> {
    const first = await this.#ask(client, request, signal);
    if (typeof first === "string") return first;
    const { failure, isPassing } = first;
    const delayMs = failure.retryAfterS === undefined ? RETRY_DELAY_MS : failure.retryAfterS * 1000;
    if (!isPassing || delayMs > MAX_OWN_WAIT_S * 1000) throw failure;
    await sleep(delayMs, this.#options.clock, signal);
    signal.throwIfAborted();
    const second = await this.#ask(client, request, signal);
    if (typeof second === "string") return second;
    throw second.failure;
  }

  async #ask(client: Anthropic, request: MessageCreateParamsStreaming, signal: AbortSignal): Promise<string | Verdict> {
    let isAnswering = false;
    try {
      const stream = await client.messages.create(request, { signal });
      isAnswering = true;
      const text = await readAnswer(stream);
      signal.throwIfAborted();
      return text;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      const verdict = judge(error, this.#options.clock.now());
      if (error instanceof BadRequestError) throw new NotTaken(verdict.failure);
      // What has begun has its price, and may have failed for what it was about to say.
      return { ...verdict, isPassing: verdict.isPassing && !isAnswering };
    }
  }

  #newClient(apiKey: string): Anthropic {
    const { baseUrl } = this.#options;
    return new Anthropic({
      apiKey,
      baseURL: baseUrl?.href.replace(/\/+$/, "") ?? "https://api.anthropic.com",
      // Its own retries would wait as long as the provider says, with the caller and the page in memory.
      maxRetries: 0,
      // It logs what it is sent and what it can't read.
      logLevel: "off",
      openTelemetry: { propagation: false, traces: false },
      // Not used, but looked for in the environment unless it is given.
      webhookKey: null,
      fetchOptions: { redirect: "error" },
    });
  }
}

/** The provider finds fault with the request as it was written. */
class NotTaken extends Failure {
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

/** The text of the value itself; what is wrapped in no way it could be is left for the check to find wrong. */
function unwrap(text: string): string {
  const [, inner] = /^\s*\{\s*"value"\s*:(.*)\}\s*$/s.exec(text) ?? [];
  return inner?.trim() ?? text;
}
