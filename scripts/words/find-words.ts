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

/** RBS_ISOLATION still accepts this value of earlier versions. Only the string literal itself is allowed. */
const OLD_ISOLATION = "jail";

/** Sentences that conformance rules quote from the contract, in the rules and in docs/conformance.md. */
const QUOTED_FROM_CONTRACT = /^\s*sentence:.*(?:\n\s*".*)?|^\| `RBS-.*/gm;

type Finding = { readonly line: number; readonly found: string; readonly instead: string };

/**
 * Finds refused words in the prose of a file: comments and strings of code, everything but code in Markdown.
 * @param file The file name, whose ending tells the language.
 */
export function findWords(file: string, source: string): readonly Finding[] {
  const quotes = readMatches(source, QUOTED_FROM_CONTRACT);
  const isQuoted = (at: number): boolean => quotes.some(({ text, start }) => at >= start && at < start + text.length);
  return readProse(file, source).flatMap(({ text, start }) =>
    [...PHRASES, ...OLD_NAMES].flatMap(({ pattern, instead }) => {
      const matches = [...text.matchAll(new RegExp(pattern.source, `g${pattern.flags}`))];
      return matches
        .filter(({ index }) => !isQuoted(start + index))
        .map(({ 0: found, index }) => {
          const line = source.slice(0, start + index).split("\n").length;
          return { line, found: found.trim(), instead };
        });
    }),
  );
}

type Prose = { readonly text: string; readonly start: number };

function readProse(file: string, source: string): readonly Prose[] {
  if (/\.(?:ts|mjs|js)$/.test(file)) return readScript(file, source);
  if (file.endsWith(".md")) return [{ text: blankOut(source, /```[^]*?```|`[^`\n]*`|\]\([^)]*\)/g), start: 0 }];
  if (file.endsWith(".html")) return [{ text: source, start: 0 }];
  if (file.endsWith(".css")) return readMatches(source, /\/\*[^]*?\*\//g);
  if (file.endsWith(".py")) return readMatches(source, /#[^\n]*|"""[^]*?"""|"[^"\n]*"/g);
  return readMatches(source, /\/\*[^]*?\*\/|\/\/[^\n]*|"[^"\n]*"/g);
}

function readScript(file: string, source: string): readonly Prose[] {
  const { program, comments } = parseSync(file, source);
  const prose: Prose[] = comments.map(({ start, end }) => ({
    text: blankOut(source.slice(start, end), /`[^`\n]*`/g),
    start,
  }));
  const add = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    prose.push({ text: source.slice(start, end), start });
  };
  new Visitor({
    Literal: (node) => typeof node.value === "string" && node.value !== OLD_ISOLATION && add(node),
    TemplateElement: add,
  }).visit(program);
  return prose;
}

function readMatches(source: string, pattern: RegExp): readonly Prose[] {
  return [...source.matchAll(pattern)].map(({ 0: text, index }) => ({ text, start: index }));
}

/** Replaces code inside prose with spaces, so that offsets stay the same. */
function blankOut(text: string, code: RegExp): string {
  return text.replace(code, (match) => match.replaceAll(/[^\n]/g, " "));
}
