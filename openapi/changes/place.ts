/** The section of the changelog. */
export type Group = "operations" | "requests" | "answers" | "errors" | "prose";

/** Whether clients send or receive the value: a server may accept more values than before, but can't return more. */
export type Direction = "request" | "answer";

/** A location in both contracts. */
export type Place = {
  /** Part of a change's identifier, such as `OpenOptions/Label`. */
  readonly id: string;
  /** The human-readable name, such as `Label of OpenOptions`. */
  readonly words: string;
  /** The value's name in messages about clients, such as `Label`. */
  readonly value: string;
  readonly direction: Direction;
  readonly group: Group;
  /** The operation that contains the location. */
  readonly operation?: string;
  /** The named schemas that contain the location, used to compare recursive schemas only once. */
  readonly within: readonly string[];
};

export function placeOf(id: string, facts: Pick<Place, "direction" | "group" | "operation">): Place {
  return { ...facts, id, words: id, value: id, within: [] };
}

/** Returns a named part of a location, such as an object's member. */
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

/** Returns the place of a shared definition that a place refers to. */
export function definitionAt(place: Place, id: string, words: string = id): Place {
  return { ...place, id, words, within: [...place.within, id] };
}
