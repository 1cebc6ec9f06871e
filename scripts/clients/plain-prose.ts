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
