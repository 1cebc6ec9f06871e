import { setTimeout as sleep } from "node:timers/promises";
import type { Exchange } from "../target/exchange.ts";
import type { Account } from "./account.ts";
import { describe, expectSuccess, toErrorBody } from "./expect.ts";
import { NotApplicable, Undecidable } from "../registry/violation.ts";

const MAX_WAIT_S = 15;
const TRIES = 4;

/** Sends a Query; a provider or a server that is overloaded (503 with `Retry-After`) is waited for. */
export async function sendQuery(account: Account, body: object): Promise<Exchange> {
  for (let tries = 1; ; tries += 1) {
    const exchange = await account.query(body);
    const waitS = Number(exchange.received.headers["retry-after"]);
    if (exchange.received.status !== 503 || !(waitS <= MAX_WAIT_S) || tries === TRIES) return exchange;
    await sleep(waitS * 1000);
  }
}

/**
 * Has a Query answered by the deployment's language model.
 * @returns The answer's body.
 * @throws {NotApplicable} When there is no model, or it declines.
 * @throws {Undecidable} When it failed, which any model may do.
 * @throws {Violation} When the answer is anything else but a success.
 */
export async function askModel(account: Account, body: object): Promise<Record<string, unknown>> {
  const exchange = await sendQuery(account, body);
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
