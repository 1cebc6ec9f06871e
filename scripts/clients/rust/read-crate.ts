/** What a generated crate has of the contract, as its sources say. */
export type Crate = {
  /** Structs by name: the Rust type of each field, by the name that it has in JSON. */
  readonly structs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The variants of each enum, as they are written. */
  readonly enums: ReadonlyMap<string, string>;
  /** The parameters of each function, as they are written. */
  readonly functions: ReadonlyMap<string, string>;
};

/** Reads the sources of a crate that openapi-generator has written. */
export function readCrate(files: ReadonlyMap<string, string>): Crate {
  const sources = [...files].filter(([path]) => path.startsWith("src/")).map(([, text]) => text);
  const find = (pattern: RegExp): (readonly [string, string])[] =>
    sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = "", body = ""]) => [name, body] as const));
  const structs = find(/^pub struct (\w+) \{\n([^]*?)^\}/gm);
  return {
    structs: new Map(structs.map(([name, body]) => [name, readFields(body)])),
    enums: new Map(find(/^pub enum (\w+) \{\n([^]*?)^\}/gm)),
    functions: new Map(find(/^pub async fn (\w+)\((.*)\) ->/gm)),
  };
}

function readFields(body: string): ReadonlyMap<string, string> {
  const fields = [...body.matchAll(/#\[serde\(rename = "([^"]+)".*\)\]\n\s*pub [\w#]+: (.+),/g)];
  return new Map(fields.map(([, name = "", type = ""]) => [name, type]));
}
