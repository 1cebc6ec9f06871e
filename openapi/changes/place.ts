/** Where a difference stands in the changelog. */
export type Group = "operations" | "requests" | "answers" | "errors" | "prose";

/** Which way a value goes decides what breaks: a server may take more than it did, a client may not get more. */
export type Direction = "request" | "answer";

/** A place in the contract, as both contracts have it. */
export type Place = {
  /** Part of a change's identifier, such as `OpenOptions/Label`. */
  readonly id: string;
  /** For people, such as `Label of OpenOptions`. */
  readonly words: string;
  /** What a client would call the value, such as `Label`. */
  readonly value: string;
  readonly direction: Direction;
  readonly group: Group;
  /** The operation that led here; undefined for what belongs to none. */
  readonly operation?: string;
  /** The named schemas on the way, so that one that contains itself ends. */
  readonly within: readonly string[];
};

export function placeOf(id: string, facts: Pick<Place, "direction" | "group" | "operation">): Place {
  return { ...facts, id, words: id, value: id, within: [] };
}

/** A member of an object, or anything else that has a name there. */
export function memberOf(place: Place, name: string): Place {
  return { ...place, id: `${place.id}/${name}`, words: `${name} of ${place.words}`, value: name };
}

export function elementOf(place: Place): Place {
  return {
    ...place,
    id: `${place.id}/[]`,
    words: `an element of ${place.words}`,
    value: `an element of ${place.value}`,
  };
}

/** What is defined once under a name, and used at the place. */
export function definitionAt(place: Place, id: string, words: string = id): Place {
  return { ...place, id, words, within: [...place.within, id] };
}
