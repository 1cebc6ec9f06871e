import { readFileSync } from "node:fs";

/** Returns the examples in a language from a page of `docs/`, unchanged. */
export function readSnippets(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, code = ""]) =>
    found === language ? [code] : [],
  );
}
