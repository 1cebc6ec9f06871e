import type { JsonSchema } from "../domain/query/response-format.ts";

/** One message of a conversation. The first message is the user's, and the roles alternate. */
export type Turn = { readonly role: "user" | "assistant"; readonly text: string };

export type Question = {
  /** Rules for the model, which take precedence over the conversation. */
  readonly instructions: string;
  readonly turns: readonly Turn[];
  /**
   * The schema of the answer. Providers enforce only a subset of JSON Schema, so the caller must check the answer.
   * Undefined: any text.
   */
  readonly schema: JsonSchema | undefined;
};

export interface LanguageModel {
  /**
   * Asks a question. Retries once if the provider fails temporarily.
   * @param credential The provider's key. Results, errors and logs never contain it.
   * @param onTokens Called with the input and output tokens of each request to the provider, even if the request fails
   * later.
   * @param signal Cancels the request to the provider. The promise then rejects.
   * @returns The answer's text, never empty.
   * @throws {Failure} `ResponseRefused` if the model declines. `ProviderUnavailable` if the provider refuses the
   * credential, is overloaded, rate-limits us or can't be reached; with `retryAfterS` if the provider states a time.
   * `ProviderError` if the provider fails, or its answer is incomplete or unreadable.
   */
  answer(
    question: Question,
    credential: string,
    onTokens: (tokens: number) => void,
    signal: AbortSignal,
  ): Promise<string>;
}
