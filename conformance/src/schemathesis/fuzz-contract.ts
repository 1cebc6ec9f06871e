import { contract } from "../contract/contract.ts";

/** Options with effects outside of the deployment, or values that some deployments refuse. Other rules test them. */
const LEFT_OUT: ReadonlySet<string> = new Set(["Args", "IgnoredDefaultArgs", "Proxy"]);

type Json = Record<string, never>;
type Examples = Record<string, { value: Record<string, unknown> }>;

/**
 * The contract for Schemathesis: without three options of Open, and with the formats of Query as an enum. The schema
 * alone allows any string.
 */
export function toFuzzContract(): object {
  const copy = structuredClone(contract) as unknown as {
    servers?: unknown;
    paths: Record<string, Record<string, { requestBody: { content: { "application/json": { examples: Examples } } } }>>;
    components: { schemas: Record<string, { properties: Record<string, Json> }> };
  };
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
