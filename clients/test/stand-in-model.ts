import { fails, says, streams } from "../../server/test/support/provider-reactions.ts";
import { type AskedBody, type Provider, type Reaction, openProvider } from "../../server/test/support/provider.ts";
import { type QueryKind, kindOfSchema, modelText } from "./query-examples.ts";

/** Prompts for which the provider returns an error, whatever the format is. */
const REFUSALS: ReadonlyMap<string, Reaction> = new Map([
  ["decline", says("I would rather", "refusal")],
  ["nonsense", streams("<html>This is not a stream of events.</html>")],
  // The server does not wait this long. Without the header, it would try again.
  ["overloaded", fails(529, "overloaded_error", { "retry-after": "30" })],
]);

/** A language-model provider that returns the contract's examples, so that all stages agree. */
export async function openStandInModel(): Promise<Provider> {
  const provider = await openProvider();
  provider.react((response, body) => toReaction(body)(response, body));
  return provider;
}

function toReaction(body: AskedBody): Reaction {
  return REFUSALS.get(readTask(body)) ?? says(modelText(kindOf(body)));
}

/** Finds the prompt in the server's message. See server/src/services/query/query-wording.ts. */
function readTask({ messages }: AskedBody): string {
  return messages[0]?.content.split("\nThe task:\n").at(-1) ?? "";
}

/** Finds the format in the server's message. See the same file. */
function kindOf({ system }: AskedBody): QueryKind {
  const [, schema] = /JSON Schema:\n(.*)$/.exec(system) ?? [];
  if (schema !== undefined) return kindOfSchema(JSON.parse(schema));
  return system.includes("one JSON value") ? "json" : "text";
}
