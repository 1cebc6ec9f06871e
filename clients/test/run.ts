import { misuse, startCommand } from "../../command-line/src/command-line.ts";
import { closingLine } from "../../scripts/tally/tally.ts";
import { LANGUAGE_IDS } from "./languages/language.ts";
import { runClients } from "./run-clients.ts";
import { STAGE_NAMES } from "./scenario-table.ts";
import { openStage } from "./stage.ts";

const USAGE = `npm run clients                      test the clients of all languages on all stages
npm run clients -- python go         test these languages: ${LANGUAGE_IDS.join(", ")}
npm run clients -- --quick           as in npm test: run a scenario on the fake server only, if it can answer
npm run clients -- --write           write the table in clients/README.md instead of comparing it
npm run clients -- stage [NAME…]     start the servers (${STAGE_NAMES.join(", ")}), print RBS_STAGE, and keep them until Ctrl-C
`;

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => ended.abort());

async function hold(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !STAGE_NAMES.some((known) => known === name));
  if (unknown.length > 0)
    throw new Error(`Unknown stage: ${unknown.join(", ")}. Choose from ${STAGE_NAMES.join(", ")}.`);
  const wanted = STAGE_NAMES.filter((name) => names.length === 0 || names.includes(name));
  await using stage = await openStage(wanted);
  console.log(stage.file);
  await new Promise((resolve) => {
    if (ended.signal.aborted) resolve(undefined);
    ended.signal.addEventListener("abort", resolve);
  });
}

async function run(languages: readonly string[], how: { write: boolean; quick: boolean }): Promise<number> {
  const wanted = { languages, isToWrite: how.write, isQuick: how.quick };
  const tally = await runClients(wanted, ended.signal);
  console.log(closingLine(tally));
  return tally.failed === 0 ? 0 : 1;
}

try {
  const { values, positionals } = startCommand({
    usage: USAGE,
    options: { write: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
    maxArguments: Infinity,
  });
  if (values.quick && values.write) misuse("The table shows all that ran: omit --quick or --write.");
  const [first, ...others] = positionals;
  if (first === "stage") await hold(others);
  else process.exitCode = await run(positionals, values);
} catch (error) {
  console.error(ended.signal.aborted ? "Stopped by a signal." : error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
