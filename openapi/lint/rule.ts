/** Redocly's context for the node that a rule visits. */
export type Visit = {
  readonly key: string | number;
  readonly location: Place;
  report(problem: { readonly message: string; readonly location?: Place }): void;
  /**
   * Resolves a reference, and returns any other node unchanged.
   * @param from The file that contains the reference. Default: the visited node's file.
   */
  resolve(node: unknown, from?: string): { readonly node: unknown; readonly location?: { readonly source: File } };
};

type File = { readonly absoluteRef: string };

type Place = { child(path: readonly (string | number)[]): Place };

/** A rule has a function for each type of node that it visits. */
export type Rule = () => Readonly<Record<string, (node: Node, visit: Visit) => void>>;

/** A contract node of unknown shape. */
export type Node = { readonly [key: string]: unknown };

/** A node that a rule reached from the visited node. `file` is undefined if both nodes are in the same file. */
export type Found = { readonly node: Node; readonly file?: string | undefined };

/** Returns a node's child with its reference resolved, or an empty node if the child is missing. */
export function follow({ node: parent, file }: Found, key: string, visit: Visit): Found {
  const child = parent[key];
  const { node, location } = visit.resolve(child, file);
  const isReference = isNode(child) && "$ref" in child;
  return { node: isNode(node) ? node : {}, file: isReference ? location?.source.absoluteRef : file };
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
