import { createHash } from "node:crypto";
import { isPreview } from "./documents.ts";
import type { Group, Place } from "./place.ts";

/** Effect on existing clients: the change can break a client, can't break any client, or only affects prose. */
export type Verdict = "breaking" | "additive" | "prose";

/** One difference between two contracts. */
export type Change = {
  /** The change's location and type. An eight-digit hash distinguishes different values at the same location. */
  readonly id: string;
  readonly group: Group;
  readonly verdict: Verdict;
  readonly words: string;
  /** The old value; undefined if there was none. */
  readonly was: unknown;
  readonly is: unknown;
  /** A sentence about the effect on clients. */
  readonly why: string;
  /** The affected operations; empty if all are affected. */
  readonly operations: readonly string[];
};

type Facts = Pick<Change, "verdict" | "was" | "is" | "why"> & { readonly what: string };

/** Creates a change at a given location in the contract. */
export function changeAt(place: Place, { what, verdict, was, is, why }: Facts): Change {
  const digits = createHash("sha256")
    .update(JSON.stringify([was ?? null, is ?? null]))
    .digest("hex")
    .slice(0, 8);
  return {
    id: `${place.direction} ${place.id} ${what.replaceAll(" ", "-")} ${digits}`,
    group: verdict === "prose" ? "prose" : place.group,
    verdict,
    words: what === "presence" ? place.words : `${what} of ${place.words}`,
    was,
    is,
    why,
    operations: place.operation === undefined ? [] : [place.operation],
  };
}

/** Creates the change for an added or removed element of the contract. @param part The element's name or value. */
export function presenceAt(
  place: Place,
  part: unknown,
  { isThere, verdict, why }: Pick<Change, "verdict" | "why"> & { readonly isThere: boolean },
  what = "presence",
): Change {
  const [was, is] = isThere ? [undefined, part] : [part, undefined];
  return changeAt(place, { what, verdict, was, is, why });
}

/** Counts breaking changes of a preview as additions. @param was The released operation or member. */
export function allowInPreview(was: unknown, changes: readonly Change[]): readonly Change[] {
  if (!isPreview(was)) return changes;
  return changes.map((change) =>
    change.verdict === "breaking" ? { ...change, verdict: "additive", why: `It is a preview. ${change.why}` } : change,
  );
}

/** Merges changes with the same id into one change that lists all their operations, and breaks if one of them does. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const known = merged.get(change.id);
    const operations = new Set([...(known?.operations ?? []), ...change.operations]);
    const shown = known === undefined || known.verdict === "additive" ? change : known;
    merged.set(change.id, { ...shown, operations: [...operations] });
  }
  return [...merged.values()];
}
