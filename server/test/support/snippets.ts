import { readFileSync } from "node:fs";

/** The examples of a page in `docs/` in one language, as they stand. */
export function readSnippets(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, code = ""]) =>
    found === language ? [code] : [],
  );
}
