import { Failure } from "../domain/failure.ts";
import type { Handlers } from "../http/operation.ts";
import { checkResponseFormat } from "../domain/response-format.ts";

/** The operation that asks a language model, for which this deployment has no provider. */
export const aiHandlers: Pick<Handlers, "queryAi"> = {
  async queryAi({ body }) {
    checkResponseFormat(body.responseFormat);
    throw new Failure("ProviderUnavailable", "This deployment has no language-model provider.");
  },
};
