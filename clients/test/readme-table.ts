import { LANGUAGES } from "./languages/languages.ts";
import type { LanguageId } from "./languages/language.ts";
import type { Scenario } from "./scenario-table.ts";

const BEGIN =
  "<!-- Generated from what ran by `npm run clients -- --write`: change scenarios/scenarios.json, not this. -->";
const END = "<!-- End of what is generated. -->";

/** Returns the cell for a scenario and a language. Undefined if the language didn't run. */
export type Cell = (scenario: Scenario, language: LanguageId) => string | undefined;

/**
 * Updates the table in the README.
 * @param readme The current text. Languages that weren't run keep their columns.
 * @throws {Error} If the table's markers are missing.
 */
export function withTable(readme: string, scenarios: readonly Scenario[], cell: Cell): string {
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`clients/README.md must have the lines\n${BEGIN}\n${END}`);
  const old = readTable(readme.slice(begin, end));
  const table = renderTable(scenarios, (scenario, id) => cell(scenario, id) ?? old(scenario, id));
  return `${readme.slice(0, begin)}${BEGIN}\n\n${table}\n${readme.slice(end)}`;
}

/** Renders a table with a row for each scenario and a column for each language. */
export function renderTable(scenarios: readonly Scenario[], cell: Cell, languages = LANGUAGES): string {
  const rows = scenarios.map((scenario) => [scenario.title, ...languages.map(({ id }) => cell(scenario, id) ?? "–")]);
  const head = ["Scenario", ...languages.map(({ title }) => title)];
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return `${lines.join("\n")}\n`;
}

function readTable(text: string): Cell {
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "));
  return ({ title }, language) => {
    const row = rows.find(([first]) => first === title);
    return row?.[1 + LANGUAGES.findIndex(({ id }) => id === language)];
  };
}
