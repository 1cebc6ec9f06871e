/** Replaces NUL and lone surrogates, which PostgreSQL can't store. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

const [FIRST_MS, LAST_MS] = [Date.parse("0001-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * Clamps a time from a request to the years 1 to 9999. PostgreSQL rejects other years, and their text sorts wrongly.
 * @param moment Undefined for the earliest time.
 */
export function toStorableMoment(moment: Date | undefined): string {
  return new Date(Math.min(Math.max(moment?.getTime() ?? FIRST_MS, FIRST_MS), LAST_MS)).toISOString();
}

/** @returns Null if there are no tags. */
export function toTagText(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags.map(toStorable));
}

export function readTagText(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}
