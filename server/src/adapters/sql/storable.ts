/** PostgreSQL stores every character except NUL, and no halves of pairs (lone surrogates). They are replaced. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

const [FIRST_MS, LAST_MS] = [Date.parse("0001-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")];

/**
 * A moment that a user asks for, moved into the years 1 to 9999. PostgreSQL reads no others, and text is ordered as
 * time is in these only.
 * @param moment Undefined: the first one.
 */
export function toStorableMoment(moment: Date | undefined): string {
  return new Date(Math.min(Math.max(moment?.getTime() ?? FIRST_MS, FIRST_MS), LAST_MS)).toISOString();
}

/** Tags as they are stored; null: none. */
export function toTagText(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags.map(toStorable));
}

export function readTagText(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}
