import type { Handlers, RequestBody } from "../../contract/operation.ts";
import type { Query, QueryRequest } from "../../services/query/query.ts";
import { readResponseFormat } from "../../domain/query/response-format.ts";
import type { Admission, BodyChecks } from "../mount.ts";

/** Throws `BadRequest` for invalid formats that the schema allows. The prompt's limit depends on the deployment. */
export const AI_CHECKS: BodyChecks = {
  queryAi: ({ responseFormat }) => readResponseFormat(responseFormat ?? undefined),
};

/** Handles the operation that asks a language model about a page. */
export function newAiHandlers(query: Query): Pick<Handlers, "queryAi"> {
  return {
    async queryAi({ account, body, signal }) {
      const answer = await query.ask(account, toRequest(body), signal);
      return { status: 200, body: { status: 200, ...answer } };
    },
  };
}

export function newQueryAdmission(query: Query): Admission<"queryAi"> {
  return {
    acquirePermit: (account, signal) => query.acquirePermit(account, signal),
    acquireCheck: (account, signal) => query.acquireCheck(account, signal),
    check: (account, body, signal) => query.check(account, toRequest(body), signal),
  };
}

function toRequest({ html, prompt, responseFormat }: RequestBody<"queryAi">): QueryRequest {
  return { html, prompt, responseFormat: responseFormat ?? undefined };
}
