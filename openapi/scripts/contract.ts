/** The parts of a contract (OpenAPI 3.1, bundled into one document) that scripts and tests read. */
export type Contract = {
  readonly info: { readonly summary: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly requestBodies: Readonly<Record<string, RequestBody>>;
  };
  readonly "x-answers-of-other-requests": Readonly<Record<string, Reference>>;
};

export type Reference = { readonly $ref: string };

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly "x-max-body-bytes"?: number;
  readonly "x-stability"?: string;
};

export type RequestBody = { readonly required?: boolean; readonly content: Content };

export type Response = {
  readonly description: string;
  readonly content: Content;
  readonly links?: Readonly<Record<string, Link>>;
};

type Link = { readonly operationId: string; readonly requestBody?: unknown };

/** The bodies by media type. */
type Content = Readonly<Record<string, MediaType | Bytes>> & { readonly "application/json"?: MediaType };

type Bytes = Pick<MediaType, "examples"> & { readonly schema: { readonly type: string; readonly format: string } };

export type MediaType = {
  readonly schema: Reference;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
};

export type Schema = {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly "x-alias"?: string;
  /** Sentences from the description, for forms and signatures. */
  readonly "x-hint"?: readonly string[];
};

/** An operation with its path and method. */
export type PlacedOperation = { readonly path: string; readonly method: string; readonly operation: Operation };

/** Lists all operations, in the contract's order. */
export function listOperations(contract: Contract): PlacedOperation[] {
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Returns a body's JSON. @throws {Error} If the body isn't JSON. */
export function jsonOf({ content }: { readonly content: Content }): MediaType {
  const json = content["application/json"];
  if (json === undefined) throw new Error(`The body isn't JSON, but ${Object.keys(content).join(" or ")}.`);
  return json;
}

/** Returns the examples of a body's first media type. */
export function examplesOf({ content }: { readonly content: Content }): MediaType["examples"] {
  return Object.values(content)[0]?.examples ?? {};
}

/** Resolves references. The caller must know the type of the result. */
export function resolve<T extends object>(contract: Contract, node: T | Reference): T {
  return "$ref" in node ? resolve(contract, at(contract, node.$ref) as T | Reference) : node;
}

/** Returns the node at a pointer such as `#/components/schemas/Proxy`. @throws {Error} If the node doesn't exist. */
export function at(contract: Contract, pointer: string): unknown {
  const [start, ...segments] = pointer.split("/");
  if (start !== "#") throw new Error(`${pointer} does not begin with #/.`);
  let node: unknown = contract;
  for (const segment of segments) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, key)) {
      throw new Error(`The contract has no value at ${pointer}.`);
    }
    node = (node as Record<string, unknown>)[key];
  }
  return node;
}

/** Returns the name of the schema that a reference points to. */
export function toSchemaName({ $ref }: Reference): string {
  const name = /^#\/components\/schemas\/([^/]+)$/.exec($ref)?.[1];
  if (name === undefined) throw new Error(`${$ref} is not a named schema.`);
  return name;
}
