import { go } from "./go.ts";
import { java } from "./java.ts";
import type { Language } from "./language.ts";
import { python } from "./python.ts";
import { typescript } from "./typescript.ts";

export const LANGUAGES: readonly Language[] = [typescript, python, go, java];

/** Selects languages by id. @param names Empty to select all languages. @throws {Error} Lists all unknown ids. */
export function pickLanguages(names: readonly string[]): readonly Language[] {
  const unknown = names.filter((name) => !LANGUAGES.some(({ id }) => id === name));
  const known = LANGUAGES.map(({ id }) => id).join(", ");
  if (unknown.length > 0) throw new Error(`Unknown clients: ${unknown.join(", ")}. Choose from ${known}.`);
  return names.length === 0 ? LANGUAGES : LANGUAGES.filter(({ id }) => names.includes(id));
}

/** Returns the reason why a language can't be tested on this machine; undefined if it can be. */
export function whySkipped({ title, missing }: Language, root: string): string | undefined {
  const why = missing(root);
  return why === undefined ? undefined : `Skipped: the clients in ${title} (${why})`;
}
