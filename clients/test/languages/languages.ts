import { go } from "./go.ts";
import { java } from "./java.ts";
import type { Language } from "./language.ts";
import { python } from "./python.ts";
import { typescript } from "./typescript.ts";

export const LANGUAGES: readonly Language[] = [typescript, python, go, java];

/**
 * The languages of these names.
 * @param names None: all of them.
 * @throws {Error} That names every name that is none.
 */
export function pickLanguages(names: readonly string[]): readonly Language[] {
  const unknown = names.filter((name) => !LANGUAGES.some(({ id }) => id === name));
  const known = LANGUAGES.map(({ id }) => id).join(", ");
  if (unknown.length > 0) throw new Error(`There are no clients in ${unknown.join(", ")}, only in ${known}.`);
  return names.length === 0 ? LANGUAGES : LANGUAGES.filter(({ id }) => names.includes(id));
}

/** Why a language can't be tried on this machine, for people; undefined when it can. */
export function whySkipped({ title, missing }: Language, root: string): string | undefined {
  const why = missing(root);
  return why === undefined ? undefined : `Skipped: the clients in ${title} (${why})`;
}
