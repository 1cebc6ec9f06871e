import { fails, says, streams } from "../../server/test/support/provider/provider-reactions.ts";
import {
  type ProviderRequestBody,
  type FakeProvider,
  type Reaction,
  openFakeProvider,
} from "../../server/test/support/provider/fake-provider.ts";
import { type QueryKind, kindOfSchema, modelText } from "./query-examples.ts";

/** Prompts for which the provider returns an error, regardless of the format. */
const REFUSALS: ReadonlyMap<string, Reaction> = new Map([
  ["decline", says("I would rather", "refusal")],
  ["nonsense", streams("<html>This is not a stream of events.</html>")],
  // The server retries if there is no `Retry-After`, but doesn't wait 30 s for a retry.
  ["overloaded", fails(529, "overloaded_error", { "retry-after": "30" })],
]);

/** A language-model provider that returns the contract's examples, so that all stages agree. */
export async function openStandInModel(): Promise<FakeProvider> {
  const provider = await openFakeProvider();
  provider.react((response, body) => toReaction(body)(response, body));
  return provider;
}

function toReaction(body: ProviderRequestBody): Reaction {
  return REFUSALS.get(readTask(body)) ?? says(modelText(kindOf(body)));
}

/** Finds the prompt in the server's message. See server/src/services/query/query-wording.ts. */
function readTask({ messages }: ProviderRequestBody): string {
  return messages[0]?.content.split("\nThe task:\n").at(-1) ?? "";
}

/** Finds the format in the server's message. See server/src/services/query/query-wording.ts. */
function kindOf({ system }: ProviderRequestBody): QueryKind {
  const [, schema] = /JSON Schema:\n(.*)$/.exec(system) ?? [];
  if (schema !== undefined) return kindOfSchema(JSON.parse(schema));
  return system.includes("one JSON value") ? "json" : "text";
}
