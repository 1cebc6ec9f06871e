import { type Contract, listOperations, type RequestBody, type Response, resolve } from "../scripts/contract.ts";

/** An example, and the schema that it must match. */
type Example = {
  /** For example, `openBrowser request headless`, `closeBrowser 404 browserNotFound` or `NotFound notFound`. */
  readonly name: string;
  readonly schema: string;
  readonly value: unknown;
};

/** Lists all JSON examples of requests and responses, including responses to requests that match no operation. */
export function listExamples(contract: Contract): Example[] {
  const examples: Example[] = [];
  const add = (place: string, { content }: Pick<Response, "content">): void => {
    const json = content["application/json"];
    if (json === undefined) return;
    for (const [name, { value }] of Object.entries(json.examples)) {
      examples.push({ name: `${place} ${name}`, schema: json.schema.$ref, value });
    }
  };
  for (const { operation } of listOperations(contract)) {
    const { operationId, requestBody, responses } = operation;
    if (requestBody) add(`${operationId} request`, resolve<RequestBody>(contract, requestBody));
    for (const [status, response] of Object.entries(responses)) {
      add(`${operationId} ${status}`, resolve(contract, response));
    }
  }
  for (const [name, response] of Object.entries(contract["x-answers-of-other-requests"])) {
    add(name, resolve<Response>(contract, response));
  }
  return examples;
}
