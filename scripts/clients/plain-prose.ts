import type { Contract } from "../../openapi/scripts/contract.ts";
import { listFailures } from "../../openapi/scripts/failures.ts";

/** A word that stands as code in the contract. */
export type CodeWord = {
  readonly code: string;
  /** The schema of the error that it names, if it names one: clients call their class the same. */
  readonly errorSchema: string | undefined;
};

/**
 * The contract's prose for languages with one spelling of each name: without Markdown, a paragraph a line.
 * @param toWord What the language writes for a word of code.
 */
export function toPlainProse(contract: Contract, prose: string, toWord: (word: CodeWord) => string): string {
  const schemas = new Map(listFailures(contract).map(({ name, schema }) => [name, schema]));
  return prose
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, " "))
    .join("\n\n")
    .replaceAll(/ ?[^.]*`x-alias`\./g, "") // It is about the second spelling.
    .replaceAll("**", "")
    .replaceAll(/`([^`]*)`/g, (_, code: string) => toWord({ code, errorSchema: schemas.get(code) }))
    .trim();
}
