/** The section of the changelog. */
export type Group = "operations" | "requests" | "answers" | "errors" | "prose";

/**
 * The direction of a value decides what breaks: a server may accept more than before, but a client must not get more.
 */
export type Direction = "request" | "answer";

/** A place in both contracts. */
export type Place = {
  /** Part of a change's identifier, such as `OpenOptions/Label`. */
  readonly id: string;
  /** The text for people, such as `Label of OpenOptions`. */
  readonly words: string;
  /** The client's name for the value, such as `Label`. */
  readonly value: string;
  readonly direction: Direction;
  readonly group: Group;
  /** The operation that the place belongs to, if any. */
  readonly operation?: string;
  /** The named schemas on the way here, to stop at recursive ones. */
  readonly within: readonly string[];
};

export function placeOf(id: string, facts: Pick<Place, "direction" | "group" | "operation">): Place {
  return { ...facts, id, words: id, value: id, within: [] };
}

/** A named part of a place, such as a member of an object. */
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

/** A shared definition that is used at the place. */
export function definitionAt(place: Place, id: string, words: string = id): Place {
  return { ...place, id, words, within: [...place.within, id] };
}
