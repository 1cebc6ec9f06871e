import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { UsageError, didYouMean, readCommandLine } from "./command-line.ts";

const USAGE = "npm run try -- [OPTIONS]\n";
const COMMAND = {
  usage: USAGE,
  version: "1.2.3",
  options: { tag: { type: "boolean" }, port: { type: "string" }, only: { type: "string", multiple: true } },
} as const;

const read = (...args: string[]) => readCommandLine(COMMAND, args);

test("options have values, which may begin with a dash", () => {
  const values = { tag: true, port: "-1", only: ["a", "b"] };
  expect(read("--tag", "--port", "-1", "--only=a", "--only", "b")).toMatchObject({ values, positionals: [] });
});

test.each([["--help"], ["-h"], ["--port", "--help"], ["--nonsense", "-h"], ["extra", "--help", "--version"]])(
  "%j asks for help, regardless of other arguments",
  (...args) => {
    expect(read(...args)).toBe(USAGE);
  },
);

test("--version prints the command's version, or else the workspace's", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(read("--version")).toBe("1.2.3\n");
  expect(readCommandLine({ usage: USAGE }, ["--version"])).toBe(`${version}\n`);
});

test("after --, everything is an argument", () => {
  const command = { ...COMMAND, maxArguments: 2 };
  expect(readCommandLine(command, ["a", "--", "--help"])).toMatchObject({ positionals: ["a", "--help"] });
});

test.each([
  [["--prot", "1"], "There is no option --prot. Did you mean --port?"],
  [["--tga"], "There is no option --tga. Did you mean --tag?"],
  [["--hlep"], "There is no option --hlep. Did you mean --help?"],
  [["--colour"], "There is no option --colour."],
  [["--toString"], "There is no option --toString."],
  [["-x"], "There is no option -x."],
  [["--port"], "--port needs a value."],
  [["--port", "--tag"], "--port needs a value."],
  [["--tag=yes"], "--tag takes no value."],
  [["tag"], 'The argument "tag" is unexpected. Did you mean --tag?'],
  [["other"], 'The argument "other" is unexpected.'],
])("%j is refused: %s", (args, message) => {
  expect(() => read(...args)).toThrow(new UsageError(message));
});

test.each([
  ["bakcup", "backup"],
  ["lsit", "list"],
  ["Cordon", "cordon"],
  ["aud", "audit"],
])("%s means %s", (given, meant) => {
  expect(didYouMean(given, ["account", "audit", "backup", "cordon", "list", "uncordon"])).toBe(
    ` Did you mean ${meant}?`,
  );
});

test("a name that isn't similar to any known name has no suggestion", () => {
  expect(didYouMean("destroy", ["disable", "delete", "list"])).toBe("");
});
