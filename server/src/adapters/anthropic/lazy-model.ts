import type { LanguageModel } from "../../ports/language-model.ts";
import type { AnthropicOptions } from "./anthropic-model.ts";

/** The model, with the provider's library loaded at the first question: many servers never ask one, and it takes 10 MB. */
export function lazyModel(options: AnthropicOptions): LanguageModel {
  let loading: Promise<LanguageModel> | undefined;
  return {
    async answer(question, credential, signal) {
      loading ??= import("./anthropic-model.ts").then(({ AnthropicModel }) => new AnthropicModel(options));
      const model = await loading;
      return model.answer(question, credential, signal);
    },
  };
}
