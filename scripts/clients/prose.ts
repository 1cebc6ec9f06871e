import type { Contract } from "../../openapi/scripts/contract.ts";
import { listFailures } from "../../openapi/scripts/failures.ts";

/** A word in backticks in the contract's prose. */
export type CodeWord = {
  readonly code: string;
  /** The schema of the error with this name, which is also the name of the clients' class. */
  readonly errorSchema: string | undefined;
};

/**
 * Converts the contract's prose to plain text, with one line for each paragraph, and without the second spelling of
 * names.
 * @param toWord Converts a word in backticks to the language's form.
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
 * Wraps a line between words.
 * @param width The maximum number of columns. Longer words are on their own lines.
 * @param firstWidth The maximum number of columns of the first line.
 * @returns At least one line.
 */
export function wrap(text: string, width: number, firstWidth = width): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const room = lines.length === 0 ? firstWidth : width;
    if (line === "") {
      line = word;
    } else if (line.length + 1 + word.length <= room) {
      line += ` ${word}`;
    } else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
