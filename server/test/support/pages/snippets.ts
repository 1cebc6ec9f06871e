import { readFileSync } from "node:fs";

/** The examples in one language on a page of `docs/`, unchanged. */
export function readSnippets(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, code = ""]) =>
    found === language ? [code] : [],
  );
}
