import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";

/** A word or phrase that the project doesn't use, and what to write instead. */
type Refused = { readonly pattern: RegExp; readonly instead: string };

/** Subjects and phrases that sound translated. */
const PHRASES: readonly Refused[] = [
  { pattern: /\bnobody\b(?!@)/i, instead: "name the subject: no client, no user, …" },
  { pattern: /\b(?:whoever|whosever|whomever)\b/i, instead: "name the person or program" },
  {
    pattern: /\bnone (?:of (?:them|these|those|it|us|which)|is|are|was|were|has|have|had|does|do|can|may)\b/i,
    instead: "use a verb with not: they do not …",
  },
  { pattern: /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer\b|more than\b|less than\b)/i, instead: "is not a …" },
];

/** Former names of parts of the project. */
const OLD_NAMES: readonly Refused[] = [
  { pattern: /\b(?:jail|jails|jailed)\b/i, instead: "sandbox" },
  { pattern: /\b(?:doorways?|switchyards?)\b/i, instead: "endpoint, proxy" },
  { pattern: /\b(?:the|its|their|our) books\b/i, instead: "storage; the ledger for units" },
  {
    pattern: /\b(?:late-model|lateModel|BarredAccounts|takePulse|AccountDesk|openBooks)\b/,
    instead: "the present name",
  },
];

/** Words in pages and comments that sound translated. Strings may contain them, because they quote the contract. */
const FIGURES: readonly Refused[] = [
  { pattern: /\b(?:that|those) of\b/i, instead: "repeat the noun" },
  // The table of docs/benchmarks.md counts with it: "4 at once", "8 raw starts at once".
  { pattern: /(?<!\d(?: raw starts)? )\bat once\b/i, instead: "immediately, or at the same time" },
  { pattern: /, too(?=[.,;:)])/i, instead: "also, before the verb" },
  { pattern: /\bmeanwhile\b/i, instead: "while …" },
  { pattern: /\blately\b/i, instead: "recently" },
  { pattern: /\bshall\b/i, instead: "must, or will" },
  { pattern: /\bnews\b/i, instead: "notifications" },
  { pattern: /\bthat which\b/i, instead: "name the thing" },
  { pattern: /\bcannot\b/i, instead: "can't: only the contract writes cannot" },
];

/** Phrases in pages that sound translated. Short comments may contain them. */
const TURNS: readonly Refused[] = [
  { pattern: /, also (?:after|at|before|by|for|from|if|in|on|to|when|while|with|without)\b/i, instead: "even …" },
  { pattern: /(?<![\w,] )\bOf (?=[a-z\d*])/, instead: "begin with the subject" },
  { pattern: /\bas (?:[^\s.,;:|()]+ ){1,6}(?:did|do|does)(?=[.;:](?:\s|$))/i, instead: "like …" },
];

/** Part of the released contract, which uses "cannot" and "does not". */
const CONTRACT = "openapi/introduction.md";

type Kind = "page" | "comment" | "string";

const RULES: Readonly<Record<Kind, readonly Refused[]>> = {
  string: [...PHRASES, ...OLD_NAMES],
  comment: [...PHRASES, ...OLD_NAMES, ...FIGURES],
  page: [...PHRASES, ...OLD_NAMES, ...FIGURES, ...TURNS],
};

/** RBS_ISOLATION still accepts this value from earlier versions. Only this exact string literal is allowed. */
const OLD_ISOLATION = "jail";

/** Sentences that conformance rules quote from the contract, in the rules and in docs/conformance.md. */
const QUOTED_FROM_CONTRACT = /^\s*sentence:.*(?:\n\s*".*)?|^\| `RBS-.*/gm;

/** The list itself, generated files, released contracts, and third-party texts. */
const LEFT_OUT =
  /(?:^|\/)_?generated\/|_generated\.|^docs\/arguments\.md|^openapi\/released\/|^scripts\/checks\/words\.|^THIRD_PARTY_NOTICES/;

/** The width that oxfmt uses for code. */
const MAX_COLUMNS = 120;

type Finding = { readonly line: number; readonly found: string; readonly instead: string };

/**
 * Finds refused words in a file's prose: in code, its comments and strings; in Markdown, everything except code.
 * @param file The file name, whose extension determines the language.
 */
export function findWords(file: string, source: string): readonly Finding[] {
  const quotes = readMatches(source, QUOTED_FROM_CONTRACT);
  const isQuoted = (at: number): boolean => quotes.some(({ text, start }) => at >= start && at < start + text.length);
  const prose = readProse(file, source);
  const words = prose.flatMap(({ text, start, kind }) =>
    RULES[file === CONTRACT ? "string" : kind].flatMap(({ pattern, instead }) => {
      const matches = [...text.matchAll(new RegExp(pattern.source, `g${pattern.flags}`))];
      return matches
        .filter(({ index }) => !isQuoted(start + index))
        .map(({ 0: found, index }) => {
          const line = source.slice(0, start + index).split("\n").length;
          return { line, found: found.trim(), instead };
        });
    }),
  );
  return /\.(?:ts|mjs|js)$/.test(file) ? [...words, ...findLongLines(prose, source)] : words;
}

/** Finds comment lines that are longer than `MAX_COLUMNS`. */
function findLongLines(prose: readonly Prose[], source: string): readonly Finding[] {
  const lines = source.split("\n");
  const numbers = prose
    .filter(({ kind }) => kind === "comment")
    .flatMap(({ text, start }) => {
      const first = source.slice(0, start).split("\n").length;
      return text.split("\n").map((_, index) => first + index);
    });
  return numbers
    .filter((line) => (lines[line - 1]?.length ?? 0) > MAX_COLUMNS)
    .map((line) => ({ line, found: `${lines[line - 1]?.length} columns`, instead: `at most ${MAX_COLUMNS}` }));
}

type Prose = { readonly text: string; readonly start: number; readonly kind: Kind };

function readProse(file: string, source: string): readonly Prose[] {
  if (/\.(?:ts|mjs|js)$/.test(file)) return readScript(file, source);
  if (file.endsWith(".md"))
    return [{ text: blankOut(source, /```[^]*?```|`[^`\n]*`|\]\([^)]*\)/g), start: 0, kind: "page" }];
  if (file.endsWith(".html")) return [{ text: source, start: 0, kind: "page" }];
  if (file.endsWith(".css")) return readMatches(source, /\/\*[^]*?\*\//g);
  if (file.endsWith(".py")) return readMatches(source, /#[^\n]*|"""[^]*?"""|"[^"\n]*"/g);
  return readMatches(source, /\/\*[^]*?\*\/|\/\/[^\n]*|"[^"\n]*"/g);
}

function readScript(file: string, source: string): readonly Prose[] {
  const { program, comments } = parseSync(file, source);
  const prose: Prose[] = comments.map(({ start, end }) => ({
    text: blankOut(source.slice(start, end), /`[^`\n]*`/g),
    start,
    kind: "comment",
  }));
  const add = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    prose.push({ text: source.slice(start, end), start, kind: "string" });
  };
  new Visitor({
    Literal: (node) => typeof node.value === "string" && node.value !== OLD_ISOLATION && add(node),
    TemplateElement: add,
  }).visit(program);
  return prose;
}

function readMatches(source: string, pattern: RegExp): readonly Prose[] {
  return [...source.matchAll(pattern)].map(({ 0: text, index }) => ({
    text,
    start: index,
    kind: /^"(?!"")/.test(text) ? "string" : "comment",
  }));
}

/** Replaces code inside prose with spaces, which keeps offsets unchanged. */
function blankOut(text: string, code: RegExp): string {
  return text.replace(code, (match) => match.replaceAll(/[^\n]/g, " "));
}

/** Part of `npm run check`: finds refused words in pages, errors, docs and comments. Arguments restrict it to paths. */
if (import.meta.main) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...argv.slice(2)], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => /\.(?:ts|mjs|js|md|html|css|py|go|java)$/.test(file) && !LEFT_OUT.test(file))
    .filter((file) => existsSync(join(root, file)));
  let count = 0;
  for (const file of files) {
    for (const { line, found, instead } of findWords(file, readFileSync(join(root, file), "utf8"))) {
      console.error(`${file}:${line}: "${found}" (${instead})`);
      count += 1;
    }
  }
  if (count > 0) {
    console.error(`${count} refused words in ${files.length} files.`);
    process.exitCode = 1;
  }
}
