import { readFileSync } from "node:fs";

/** Returns a `docs/` page's code examples in one language, unchanged. */
export function readSnippets(page: string, language: string): string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, found, code = ""]) =>
    found === language ? [code] : [],
  );
}
