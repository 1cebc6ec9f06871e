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

/** A model that answers questions, at somebody's provider. */
export interface LanguageModel {
  /**
   * Asks once. A passing failure of the provider is tried a second time.
   * @param credential The provider's key; it stands in nothing that is returned, thrown or logged.
   * @param signal Aborted when nobody wants the answer any more: the request to the provider ends, and the promise
   *   rejects.
   * @returns The answer's text, never empty.
   * @throws {Failure} `ResponseRefused` when the model declines. `ProviderUnavailable`, with the seconds to wait where
   *   the provider says them, when the credential is refused, the provider is overloaded, limits the rate or is not
   *   reached. `ProviderError` when it fails, breaks off or answers what cannot be read.
   */
  answer(question: Question, credential: string, signal: AbortSignal): Promise<string>;
}
