/** The parts of the contract in a generated crate's sources. */
export type Crate = {
  /** The Rust type of each field by its name in JSON, for each struct by name. */
  readonly structs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The variants of each enum, as in the source. */
  readonly enums: ReadonlyMap<string, string>;
  /** The parameters of each function, as in the source. */
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
