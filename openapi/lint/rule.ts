/** Redocly's context for the node that a rule visits. */
export type Visit = {
  readonly key: string | number;
  readonly location: Place;
  report(problem: { readonly message: string; readonly location?: Place }): void;
  /**
   * Resolves a reference, and returns any other node unchanged.
   * @param from The file that a relative reference is in. Default: the visited node's.
   */
  resolve(node: unknown, from?: string): { readonly node: unknown; readonly location?: { readonly source: File } };
};

type File = { readonly absoluteRef: string };

type Place = { child(path: readonly (string | number)[]): Place };

/** A rule: a function for each type of node that it visits. */
export type Rule = () => Readonly<Record<string, (node: Node, visit: Visit) => void>>;

/** A node of the contract, of unknown shape. */
export type Node = { readonly [key: string]: unknown };

/** A node that a rule reached from the one that it visits. `file` is undefined if it is in the visited node's file. */
type Found = { readonly node: Node; readonly file?: string | undefined };

/** A child of a node, with its reference resolved; empty if there is none. */
export function follow({ node: parent, file }: Found, key: string, visit: Visit): Found {
  const child = parent[key];
  const { node, location } = visit.resolve(child, file);
  const isReference = isNode(child) && "$ref" in child;
  return { node: isNode(node) ? node : {}, file: isReference ? location?.source.absoluteRef : file };
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
