import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NONE, type Tally, add, closingLine } from "../../scripts/tally/tally.ts";
import type { Language, LanguageId } from "./languages/language.ts";
import { pickLanguages, whySkipped } from "./languages/languages.ts";
import { type Outcomes, describePassed, readOutcomes } from "./outcomes.ts";
import { type Cell, renderTable, withTable } from "./readme-table.ts";
import { runCommand } from "./run-command.ts";
import { STAGE_NAMES, readScenarios, toQuick } from "./scenario-table.ts";
import { type Stage, openStage } from "./stage.ts";

type Wanted = {
  /** Language ids. If empty, all languages are included. */
  readonly languages?: readonly string[];
  /** Whether to write the table to clients/README.md instead of comparing it with the file. */
  readonly isToWrite?: boolean;
  /** Whether to run scenarios only on the fake server, where supported. Quick runs don't compare the table. */
  readonly isQuick?: boolean;
};

type Ran = { readonly language: Language; readonly tally: Tally; readonly outcomes: Outcomes };

const root = fileURLToPath(new URL("../..", import.meta.url));
const README = join(root, "clients/README.md");

/**
 * Runs the scenarios in every language that this machine supports. Prints a line for each skipped language.
 * @param signal If aborted, stops all tests and servers.
 */
export async function runClients(wanted: Wanted = {}, signal = new AbortController().signal): Promise<Tally> {
  const languages = pickLanguages(wanted.languages ?? []);
  const skippedBecause = languages.flatMap((language) => whySkipped(language, root) ?? []);
  for (const why of skippedBecause) console.log(why);
  const able = languages.filter((language) => whySkipped(language, root) === undefined);
  const skipped = { ...NONE, skipped: skippedBecause.length };
  if (able.length === 0) return skipped;
  const scenarios = wanted.isQuick === true ? toQuick(readScenarios()) : readScenarios();
  const names = STAGE_NAMES.filter((name) => scenarios.some(({ on }) => on.includes(name)));
  await using stage = await openStage(names, scenarios);
  const ran: Ran[] = [];
  for (const language of able) ran.push(await runLanguage(language, stage, signal));
  const ofTable = wanted.isQuick === true ? NONE : compareTable(ran, stage, wanted.isToWrite ?? false);
  for (const { language, tally } of ran) {
    console.log(`${language.title}: ${closingLine(tally)}`);
    if (tally.failed > 0) console.log(`Failed: the client for ${language.title} (${tally.failed} tests or scenarios)`);
  }
  return [skipped, ofTable, ...ran.map((one) => one.tally)].reduce(add);
}

async function runLanguage(language: Language, { file, content, said }: Stage, signal: AbortSignal): Promise<Ran> {
  console.log(`\n── ${language.title}\n`);
  const folder = join(dirname(file), language.id);
  mkdirSync(folder);
  // Tests must not inherit settings from the user's shell.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("RBS_"));
  const environment = { ...Object.fromEntries(own), RBS_STAGE: file };
  const tally = await language.run({ root, folder, command: (line) => runCommand(line, environment, signal) });
  signal.throwIfAborted();
  const outcomes = readOutcomes(readFileSync(content.report, "utf8"), language.id, content.scenarios);
  if (tally.failed > 0) console.log(said());
  for (const problem of outcomes.problems) console.log(`${language.title}: ${problem}.`);
  return { language, tally: { ...tally, failed: tally.failed + outcomes.problems.length }, outcomes };
}

/** Prints the table, and either compares it with clients/README.md or writes it to that file. */
function compareTable(ran: readonly Ran[], { content }: Stage, isToWrite: boolean): Tally {
  const cell: Cell = (scenario, id: LanguageId) => {
    const found = ran.find(({ language }) => language.id === id);
    return found && describePassed(scenario, found.outcomes);
  };
  const languages = ran.map(({ language }) => language);
  console.log(`\n${renderTable(content.scenarios, cell, languages)}`);
  const readme = readFileSync(README, "utf8");
  // Uses the original scenarios from the file, because the stage's scenarios may have been adapted to this machine.
  const wanted = withTable(readme, readScenarios(), cell);
  if (wanted === readme) return { ...NONE, passed: 1 };
  if (isToWrite) {
    writeFileSync(README, wanted);
    console.log("Wrote clients/README.md.");
    return { ...NONE, passed: 1 };
  }
  console.log("The table in clients/README.md is outdated. Run npm run clients -- --write");
  return { ...NONE, failed: 1 };
}
