import type { Contract } from "../../../openapi/scripts/contract.ts";

/** A small contract for tests of renderers. Other schemas are added, or replace these. */
export function contractWith(schemas: Readonly<Record<string, unknown>> = {}): Contract {
  const all = {
    BusyError: errorSchema("Busy", 503, "Nothing is free."),
    OpenOptions: object({ Label: { type: ["string", "null"], description: "A name.\n" } }),
    Proxy: object({ Host: { type: "string", description: "Where it is." } }, ["Host"]),
    SupportedBrowser: { type: "integer", enum: [0, 3], "x-enum-varnames": ["Chrome", "Shell"], description: "A kind." },
    Session: object({ vncpass: { type: ["string", "null"], description: "`null` while stopped." } }, ["vncpass"]),
    StartRemoteDesktopResult: object(
      { status: { const: 200 }, rfbUrl: { type: "string", description: "For viewers." } },
      ["status", "rfbUrl"],
    ),
    ...schemas,
  };
  return { components: { schemas: all } } as unknown as Contract;
}

export function errorSchema(name: string, status: number, description: string): object {
  return { type: "object", description, properties: { status: { const: status }, name: { const: name } } };
}

export function object(properties: object, required: readonly string[] = []): object {
  return { type: "object", description: "A thing. It is one.\n", required, properties };
}
