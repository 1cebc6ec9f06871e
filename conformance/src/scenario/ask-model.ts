import { type Account, sendWithRetries } from "../run/account.ts";
import { describe, expectSuccess, toErrorBody } from "../run/expect.ts";
import { NotApplicable, Undecidable } from "../registry/violation.ts";

/**
 * Queries the deployment's language model.
 * @returns The response body.
 * @throws {NotApplicable} When the deployment has no model, or the model refuses.
 * @throws {Undecidable} When the model fails.
 * @throws {Violation} When the response is any other error.
 */
export async function askModel(account: Account, body: object): Promise<Record<string, unknown>> {
  const exchange = await sendWithRetries(() => account.query(body));
  const { name, message } = toErrorBody(exchange.received.json);
  if (name === "ProviderUnavailable") {
    throw new NotApplicable(`The deployment has no language model: ${String(message)}`);
  }
  if (name === "ResponseRefused") throw new NotApplicable("The deployment's language model refuses to answer.");
  if (name === "ProviderError") {
    throw new Undecidable(`The language model did not answer: ${describe(exchange.received)}.`);
  }
  return expectSuccess(exchange);
}
