import { createHash } from "node:crypto";
import type { Group, Place } from "./place.ts";

/** The effect on existing clients: the change can break a client, can't break any, or affects only text for people. */
export type Verdict = "breaking" | "additive" | "prose";

/** One difference between two contracts. */
export type Change = {
  /** Names the place and the kind of change. Eight digits distinguish different values at the same place. */
  readonly id: string;
  readonly group: Group;
  readonly verdict: Verdict;
  readonly words: string;
  /** Undefined if there was no value. */
  readonly was: unknown;
  readonly is: unknown;
  /** A sentence about the effect on clients. */
  readonly why: string;
  /** The affected operations; empty if all are affected. */
  readonly operations: readonly string[];
};

type Facts = Pick<Change, "verdict" | "was" | "is" | "why"> & { readonly what: string };

/** Creates a change at a place. */
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

/** Creates the change for an added or removed part. @param part The part's name or value. */
export function presenceAt(
  place: Place,
  part: unknown,
  { isThere, verdict, why }: Pick<Change, "verdict" | "why"> & { readonly isThere: boolean },
  what = "presence",
): Change {
  const [was, is] = isThere ? [undefined, part] : [part, undefined];
  return changeAt(place, { what, verdict, was, is, why });
}

/** Merges equal changes into one with all their operations. */
export function mergeChanges(changes: readonly Change[]): Change[] {
  const merged = new Map<string, Change>();
  for (const change of changes) {
    const known = merged.get(change.id);
    const operations = new Set([...(known?.operations ?? []), ...change.operations]);
    merged.set(change.id, { ...(known ?? change), operations: [...operations] });
  }
  return [...merged.values()];
}
