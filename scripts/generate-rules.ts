import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { withRules } from "./rules/render-rules.ts";
import { writeOrCheck } from "./write-or-check.ts";

/**
 * Generates the suite's list of all rules, and from it the tables in `docs/conformance.md`. The rest of the page is
 * written by hand.
 */
const root = new URL("..", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

/** The folders of `conformance/src/rules`, in the order of the reports. */
const FOLDERS = "protocol ai open pages keys close records connect desktop account random".split(" ");

const placeOf = (file: string): number => FOLDERS.indexOf(dirname(file));
const files = globSync("*/*.ts", { cwd: new URL("conformance/src/rules", root) }).toSorted(
  (one, other) => placeOf(one) - placeOf(other) || one.localeCompare(other),
);
const names = files.map((file) => {
  const [, name] = /^export const (\w+_RULES)\b/m.exec(read(`conformance/src/rules/${file}`)) ?? [];
  if (name === undefined) throw new Error(`${file} must export a list with a name that ends in _RULES.`);
  return name;
});
writeOrCheck(
  "conformance/src/registry/generated/rule-lists.ts",
  `// Generated from the files in conformance/src/rules by \`npm run generate\`.

${files.map((file, index) => `import { ${names[index]} } from "../../rules/${file}";\n`).join("")}import type { Rule } from "../rule.ts";

/** The rules of each file. */
export const RULE_LISTS: readonly (readonly Rule[])[] = [${names.join(", ")}];
`,
);

// The registry imports the list.
const { RULES } = await import("../conformance/src/registry/registry.ts");
writeOrCheck("docs/conformance.md", withRules(read("docs/conformance.md"), RULES));
