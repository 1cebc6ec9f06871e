/** Redocly's context for the node that a rule visits. */
export type Visit = {
  readonly key: string | number;
  readonly location: Place;
  report(problem: { readonly message: string; readonly location?: Place }): void;
  /** Resolves a reference, and returns any other node unchanged. */
  resolve(node: unknown): { readonly node: unknown };
};

export type Place = { child(path: readonly (string | number)[]): Place };

/** A rule: a function for each type of node that it visits. */
export type Rule = () => Readonly<Record<string, (node: Node, visit: Visit) => void>>;

/** A node of the contract, of unknown shape. */
export type Node = { readonly [key: string]: unknown };

/** A child of a node, with its reference resolved; empty if there is none. */
export function follow(parent: Node, key: string, visit: Visit): Node {
  const { node } = visit.resolve(parent[key]);
  return isNode(node) ? node : {};
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
