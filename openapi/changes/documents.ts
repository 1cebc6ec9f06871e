import { at, type Contract } from "../scripts/contract.ts";

/** Any object in a contract. */
export type Node = Readonly<Record<string, unknown>>;

/** Two contracts: the released one and its successor. */
export type Documents = { readonly before: Node; readonly after: Node };

/** Keywords that only people and tests use. Changes to them don't break programs. */
export const PROSE: ReadonlySet<string> = new Set(
  "description summary title example examples externalDocs $comment links x-displayName x-hint x-since".split(" "),
);

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether an operation or member may change in a minor version. */
export function isPreview(node: unknown): boolean {
  return isNode(node) && node["x-stability"] === "preview";
}

/** Returns the object at a key, or an empty object if it is missing. */
export function nodeAt(node: Node | undefined, key: string): Node {
  const value = node?.[key];
  return isNode(value) ? value : {};
}

/** Lists the keys of both nodes without duplicates, in the later contract's order. */
export function keysOf(before: Node, after: Node): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])];
}

/** Resolves a node's reference. @returns The target and its name, or the node itself if it isn't a reference. */
export function follow(document: Node, node: Node): { readonly node: Node; readonly name?: string } {
  const reference = node["$ref"];
  if (typeof reference !== "string") return { node };
  const target = at(document as unknown as Contract, reference);
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  return { node: isNode(target) ? target : {}, name };
}

/** Whether two values are equal after references are resolved, ignoring prose and key order. */
export function isSame(documents: Documents, before: unknown, after: unknown): boolean {
  return canonical(documents.before, before) === canonical(documents.after, after);
}

/** Converts a value to text. Equal values produce the same text. */
function canonical(document: Node, value: unknown, within: readonly string[] = [], areMembers = false): string {
  if (Array.isArray(value)) return `[${value.map((element) => canonical(document, element, within)).join()}]`;
  if (!isNode(value)) return JSON.stringify(value) ?? "nothing";
  const { node, name } = follow(document, value);
  if (name !== undefined && within.includes(name)) return `{$ref:${name}}`;
  const way = name === undefined ? within : [...within, name];
  const entries = Object.entries(name === undefined ? value : { ...node, ...value, $ref: name })
    // An object may have a member called `title`, for example.
    .filter(([key]) => areMembers || !PROSE.has(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonical(document, member, way, key === "properties")}`);
  return `{${entries.join()}}`;
}
