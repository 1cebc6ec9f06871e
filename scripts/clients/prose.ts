import type { Contract } from "../../openapi/scripts/contract.ts";
import { listFailures } from "../../openapi/scripts/failures.ts";

/** A word between backticks in the contract's prose. */
export type CodeWord = {
  readonly code: string;
  /** The error's schema and class in the clients, if the word is an error name. */
  readonly errorSchema: string | undefined;
};

/**
 * Converts the contract's prose to plain text, with one line per paragraph. Removes sentences about `x-alias`.
 * @param toWord Converts a word in backticks to its form in the target language.
 */
export function toPlainProse(contract: Contract, prose: string, toWord: (word: CodeWord) => string): string {
  const schemas = new Map(listFailures(contract).map(({ name, schema }) => [name, schema]));
  return prose
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " "))
    .join("\n\n")
    .replaceAll(/ ?[^.]*`x-alias`\./g, "")
    .replaceAll("**", "")
    .replaceAll(/`([^`]*)`/g, (_, code: string) => toWord({ code, errorSchema: schemas.get(code) }))
    .trim();
}

/**
 * Wraps text between words and preserves its line breaks.
 * @param width The maximum number of columns. A longer word gets its own line.
 * @returns At least one line.
 */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const [first = "", ...words] = paragraph.split(" ");
    const lines = [first];
    for (const word of words) {
      const longer = `${lines.at(-1)} ${word}`;
      if (longer.length <= width) lines.splice(-1, 1, longer);
      else lines.push(word);
    }
    return lines;
  });
}
