import { operations } from "@remote-browser/contract/operations";
import { type ContractVersion, contractOf } from "../contract/versions.ts";

/** Options with effects outside the deployment, or values that some deployments reject. Other rules test them. */
const LEFT_OUT: ReadonlySet<string> = new Set(["Args", "IgnoredDefaultArgs", "Proxy"]);

type Json = Record<string, never>;
type Examples = Record<string, { value: Record<string, unknown> }>;

/** CloseAll may close browsers that the run did not open. Other rules test CloseAll safely. */
const DANGEROUS = "/api/v1/Browser/CloseAll";

/** A request must contain exactly one of `address` and `id`. The contract states this only in prose. */
const ONE_NAME = { oneOf: [{ required: ["address"] }, { required: ["id"] }] };
const NEW_VALUE = {
  anyOf: [
    ...["keepOpen", "lifetime"].map((name) => ({ required: [name], properties: { [name]: { type: "number" } } })),
    { required: ["label"], properties: { label: { type: "string" } } },
    { required: ["tags"], properties: { tags: { type: "array" } } },
  ],
};

/**
 * Derives the contract for Schemathesis. Removes three options of Open, CloseAll, and previews. Adds constraints that
 * the schemas do not express: the formats of Query, and dependencies between a request's members.
 */
export function toFuzzContract(version: ContractVersion): object {
  const copy = structuredClone(contractOf(version)) as unknown as {
    servers?: unknown;
    paths: Record<string, Record<string, { requestBody: { content: { "application/json": { examples: Examples } } } }>>;
    components: { schemas: Record<string, { properties: Record<string, Json> }> };
  };
  delete copy.paths[DANGEROUS];
  // A finding about a preview would be a failure, but must only be a warning.
  for (const { path, isPreview } of Object.values(operations)) if (isPreview) delete copy.paths[path];
  const { BrowserReference, WaitRequest, UpdateRequest, HistoryRequest } = copy.components.schemas;
  if (WaitRequest !== undefined) {
    // Version 1.0 of the contract has no ids.
    Object.assign(BrowserReference ?? {}, ONE_NAME);
    Object.assign(WaitRequest, ONE_NAME);
  }
  if (UpdateRequest !== undefined) Object.assign(UpdateRequest, { allOf: [ONE_NAME, NEW_VALUE] });
  // Only the server can tell whether a text is a valid cursor.
  delete HistoryRequest?.properties["cursor"];
  const examplesOf = (path: string): Examples =>
    copy.paths[path]?.["post"]?.requestBody.content["application/json"].examples ?? {};
  const options = copy.components.schemas["OpenOptions"]?.properties ?? {};
  for (const name of LEFT_OUT) delete options[name];
  const opens = examplesOf("/api/v1/Browser/Open");
  for (const example of Object.values(opens)) {
    example.value = Object.fromEntries(Object.entries(example.value).filter(([name]) => !LEFT_OUT.has(toPascal(name))));
  }
  // Repeated examples would open browsers without testing anything new.
  dropRepeated(opens);
  const formats = Object.values(examplesOf("/api/v1/ai/Query")).map(({ value }) => value["responseFormat"] ?? null);
  const format = copy.components.schemas["QueryRequest"]?.properties["responseFormat"];
  if (format !== undefined) Object.assign(format, { enum: [...new Set(formats)] });
  return copy;
}

function dropRepeated(examples: Examples): void {
  const seen = new Set<string>();
  for (const [name, { value }] of Object.entries(examples)) {
    const text = JSON.stringify(value);
    if (seen.has(text)) delete examples[name];
    seen.add(text);
  }
}

function toPascal(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}
