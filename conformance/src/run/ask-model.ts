import type { Account } from "./account.ts";
import { describe, expectSuccess, toErrorBody } from "./expect.ts";
import { sendWithRetries } from "./send-with-retries.ts";
import { NotApplicable, Undecidable } from "../registry/violation.ts";

/**
 * Has a Query answered by the deployment's language model.
 * @returns The answer's body.
 * @throws {NotApplicable} When there is no model, or it declines.
 * @throws {Undecidable} When it failed, which any model may do.
 * @throws {Violation} When the answer is anything else but a success.
 */
export async function askModel(account: Account, body: object): Promise<Record<string, unknown>> {
  const exchange = await sendWithRetries(() => account.query(body));
  const { name, message } = toErrorBody(exchange.received.json);
  if (name === "ProviderUnavailable") {
    throw new NotApplicable(`The deployment has no language model at hand: ${String(message)}`);
  }
  if (name === "ResponseRefused") throw new NotApplicable("The deployment's language model declines to answer.");
  if (name === "ProviderError") {
    throw new Undecidable(`The language model gave no answer: ${describe(exchange.received)}.`);
  }
  return expectSuccess(exchange);
}
