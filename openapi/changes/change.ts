import { createHash } from "node:crypto";
import type { Group, Place } from "./place.ts";

/** What it means to the clients there are: it can break one, it cannot, or only people read it. */
export type Verdict = "breaking" | "additive" | "prose";

/** One difference between two contracts. */
export type Change = {
  /** Says where, what, and by eight digits from what to what: another change of the same place is not this one. */
  readonly id: string;
  readonly group: Group;
  readonly verdict: Verdict;
  readonly words: string;
  /** Undefined where there was nothing. */
  readonly was: unknown;
  readonly is: unknown;
  /** Who is affected, and how: a sentence. */
  readonly why: string;
  /** The operations it concerns; none when it concerns all. */
  readonly operations: readonly string[];
};

type Facts = Pick<Change, "verdict" | "was" | "is" | "why"> & { readonly what: string };

/** A difference in what stands at a place. */
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

/** Each difference once, with all the operations that it was met in. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const known = merged.get(change.id);
    const operations = new Set([...(known?.operations ?? []), ...change.operations]);
    merged.set(change.id, { ...(known ?? change), operations: [...operations] });
  }
  return [...merged.values()];
}
