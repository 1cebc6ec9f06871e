import type { LanguageModel } from "../../ports/language-model.ts";
import type { AnthropicOptions } from "./anthropic-model.ts";

/** Loads the provider's 10 MB library only when the first question arrives, because many servers never use it. */
export function newLazyModel(options: AnthropicOptions): LanguageModel {
  let loading: Promise<LanguageModel> | undefined;
  return {
    async answer(question, credential, onTokens, signal) {
      loading ??= import("./anthropic-model.ts").then(({ AnthropicModel }) => new AnthropicModel(options));
      const model = await loading;
      return model.answer(question, credential, onTokens, signal);
    },
  };
}
