import type { JsonSchema } from "../domain/query/response-format.ts";

/** One turn of a conversation; the first is the user's, and they alternate. */
export type Turn = { readonly role: "user" | "assistant"; readonly text: string };

/** What a model is asked. */
export type Question = {
  /** What the model is to keep to, whatever the turns say. */
  readonly instructions: string;
  readonly turns: readonly Turn[];
  /**
   * What the answer is to match. Models keep to it as far as their provider can express it, so the answer has yet to be
   * checked. Undefined: no shape is enforced.
   */
  readonly schema: JsonSchema | undefined;
};

/** A language model that answers questions. */
export interface LanguageModel {
  /**
   * Asks a question. A temporary failure of the provider is retried once.
   * @param credential The provider's key. It is not in the answer, in errors or in the log.
   * @param signal Cancels the request to the provider, and the promise rejects.
   * @returns The answer's text, never empty.
   * @throws {Failure} `ResponseRefused` when the model declines. `ProviderUnavailable` when the provider refuses the
   *   credential, is overloaded, limits the rate or can't be reached, with the seconds to wait if the provider sends
   *   them. `ProviderError` when the provider fails, or its answer breaks off or can't be read.
   */
  answer(question: Question, credential: string, signal: AbortSignal): Promise<string>;
}
