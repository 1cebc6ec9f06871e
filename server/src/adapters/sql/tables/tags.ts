import { toStorable } from "../storable.ts";

/** Tags as they are stored; null: none. */
export function toTagText(tags: readonly string[]): string | null {
  return tags.length === 0 ? null : JSON.stringify(tags.map(toStorable));
}

export function readTagText(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}
