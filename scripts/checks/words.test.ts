import { expect, test } from "vitest";
import { findWords } from "./words.ts";

const found = (file: string, source: string): readonly string[] => findWords(file, source).map((each) => each.found);

test.each([
  ["a.ts", "// Nobody waits.\nconst a = 1;", ["Nobody"]],
  ["a.ts", 'throw new Error("This is no number.");', ["is no"]],
  ["a.ts", "const a = `whoever ${b} comes`;", ["whoever"]],
  ["a.md", "A jailed browser, and none of them is open.", ["none of them", "jailed"]],
  ["a.html", "<p>Nobody is here</p>", ["Nobody"]],
  ["a.css", "/* Nobody */ .nobody {}", ["Nobody"]],
  ["a.go", '// Nobody\nreturn "it is no URL"', ["Nobody", "is no"]],
  ["a.py", '"""Nobody."""\nnobody = 1  # whoever', ["Nobody", "whoever"]],
])("the prose in %s is checked: %j", (file, source, words) => {
  expect(found(file, source)).toEqual(words);
});

const FIGURES: readonly (readonly [string, string])[] = [
  ["Its size is that of a page.", "that of"],
  ["Ten browsers start at once.", "at once"],
  ["It ends, too.", ", too"],
  ["Others wait meanwhile.", "meanwhile"],
  ["It shall end.", "shall"],
  ["It started lately.", "lately"],
  ["It gets news of changes.", "news"],
  ["It reads that which it wrote.", "that which"],
  ["It cannot start.", "cannot"],
];

test.each(FIGURES)("pages and comments must not say: %s", (sentence, word) => {
  expect([found("a.md", sentence), found("a.ts", `// ${sentence}`), found("a.py", `"""${sentence}"""`)]).toEqual([
    [word],
    [word],
    [word],
  ]);
  expect([found("a.ts", `test("${sentence}");`), found("a.go", `return "${sentence}"`)]).toEqual([[], []]);
});

test.each([
  ["Of two browsers, one ends.", "Of"],
  ["It works, also after a restart.", ", also after"],
  ["It ends, as the Close operation does.", "as the Close operation does"],
])("pages must not say: %s", (sentence, word) => {
  expect(found("a.md", sentence)).toEqual([word]);
  expect(found("a.ts", `// ${sentence}`)).toEqual([]);
});

test('the word check skips the contract, and allows "at once" in tables of figures', () => {
  expect(found("openapi/introduction.md", "A connection cannot be made.")).toEqual([]);
  expect(found("a.md", "| 4 at once | 8 raw starts at once | too many |")).toEqual([]);
});

test.each([
  ["a.ts", "const nobody = isNoUser;"],
  ["a.ts", "// The setting `RBS_ISOLATION=jail` works, and it is no longer documented."],
  ["a.ts", '// There is no browser.\nconst email = "nobody@example.com";'],
  ["a.ts", 'const rule = {\n  sentence: "Nobody gets in.",\n};'],
  ["a.md", "Run `nobody`, or\n\n```sh\nwhoever\n```\n| `RBS-A-01` | Nobody gets in. |"],
])("names, code and quotes from the contract are not prose: %s %j", (file, source) => {
  expect(found(file, source)).toEqual([]);
});

test("a finding contains its line and an alternative", () => {
  expect(findWords("a.ts", "const a = 1;\n\n// In a jail.")).toEqual([{ line: 3, found: "jail", instead: "sandbox" }]);
});

test("comments may have lines of up to 120 columns, and strings may have longer lines", () => {
  const wide = "word ".repeat(24).trim();
  expect(findWords("a.ts", `/**\n * ${wide} end\n */\nconst a = "${wide} end of it";\n`)).toEqual([
    { line: 2, found: "126 columns", instead: "at most 120" },
  ]);
  expect(findWords("a.ts", `// ${wide.slice(0, 117)}`)).toEqual([]);
});
