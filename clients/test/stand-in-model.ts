import { fails, says, streams } from "../../server/test/support/provider-reactions.ts";
import { type AskedBody, type Provider, type Reaction, openProvider } from "../../server/test/support/provider.ts";
import { type QueryKind, kindOfSchema, modelText } from "./query-examples.ts";

/** The prompts that the provider does not answer, whatever they are to be answered in. */
const REFUSALS: ReadonlyMap<string, Reaction> = new Map([
  ["decline", says("I would rather", "refusal")],
  ["nonsense", streams("<html>This is no stream of events.</html>")],
  // The server does not wait that long; without the header it would ask a second time.
  ["overloaded", fails(529, "overloaded_error", { "retry-after": "30" })],
]);

/** A language-model provider that answers every question as the contract's examples do, so that all stages agree. */
export async function openStandInModel(): Promise<Provider> {
  const provider = await openProvider();
  provider.react((response, body) => toReaction(body)(response, body));
  return provider;
}

function toReaction(body: AskedBody): Reaction {
  return REFUSALS.get(readTask(body)) ?? says(modelText(kindOf(body)));
}

/** The prompt, as the server words it behind the page; see server/src/services/query/query-wording.ts. */
function readTask({ messages }: AskedBody): string {
  return messages[0]?.content.split("\nThe task:\n").at(-1) ?? "";
}

/** The server tells the model in words what to answer in; see there, too. */
function kindOf({ system }: AskedBody): QueryKind {
  const [, schema] = /JSON Schema:\n(.*)$/.exec(system) ?? [];
  if (schema !== undefined) return kindOfSchema(JSON.parse(schema));
  return system.includes("one JSON value") ? "json" : "text";
}
