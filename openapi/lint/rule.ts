/** What Redocly tells a rule about the place it visits. */
export type Visit = {
  readonly key: string | number;
  readonly location: Place;
  report(problem: { readonly message: string; readonly location?: Place }): void;
  /** Follows a reference; anything else comes back as it is. */
  resolve(node: unknown): { readonly node: unknown };
};

export type Place = { child(path: readonly (string | number)[]): Place };

/** A rule: for each type of node, what to do when one is visited. */
export type Rule = () => Readonly<Record<string, (node: Node, visit: Visit) => void>>;

/** A part of the contract, of which a rule knows nothing until it looks. */
export type Node = { readonly [key: string]: unknown };

/** A part's part, references followed; an empty one when there is none. */
export function follow(parent: Node, key: string, visit: Visit): Node {
  const { node } = visit.resolve(parent[key]);
  return isNode(node) ? node : {};
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
