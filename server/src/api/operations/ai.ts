import type { Handlers } from "../../contract/operation.ts";
import type { Query } from "../../services/query/query.ts";

/** The operation that asks a language model about a page. */
export function newAiHandlers(query: Query): Pick<Handlers, "queryAi"> {
  return {
    async queryAi({ account, body, signal }) {
      const { html, prompt, responseFormat } = body;
      const answer = await query.ask(account, { html, prompt, responseFormat }, signal);
      return { status: 200, body: { status: 200, ...answer } };
    },
  };
}
