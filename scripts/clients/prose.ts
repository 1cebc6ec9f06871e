import type { Contract } from "../../openapi/scripts/contract.ts";
import { listFailures } from "../../openapi/scripts/failures.ts";

/** A word in backticks in the contract's prose. */
export type CodeWord = {
  readonly code: string;
  /** The schema of the error that it names, if any, which is also the name of the clients' class. */
  readonly errorSchema: string | undefined;
};

/**
 * Converts the contract's prose to plain text for languages with one spelling of each name, with one line for each
 * paragraph.
 * @param toWord Converts a word in backticks to the language's form.
 */
export function toPlainProse(contract: Contract, prose: string, toWord: (word: CodeWord) => string): string {
  const schemas = new Map(listFailures(contract).map(({ name, schema }) => [name, schema]));
  return prose
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " "))
    .join("\n\n")
    .replaceAll(/ ?[^.]*`x-alias`\./g, "") // Sentences about the second spelling.
    .replaceAll("**", "")
    .replaceAll(/`([^`]*)`/g, (_, code: string) => toWord({ code, errorSchema: schemas.get(code) }))
    .trim();
}

/**
 * Wraps a line between words.
 * @param width Maximum columns of a line. A longer word gets its own line.
 * @param firstWidth Maximum columns of the first line.
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
