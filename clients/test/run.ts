import { parseArgs } from "node:util";
import { closingLine } from "../../scripts/tally/tally.ts";
import { LANGUAGE_IDS } from "./languages/language.ts";
import { runClients } from "./run-clients.ts";
import { STAGE_NAMES } from "./scenario-table.ts";
import { openStage } from "./stage.ts";

/**
 * `npm run clients [-- LANGUAGE…] [-- --write]` tries the clients of every language on every stage. `npm run clients --
 * stage [mock|fake|real…]` only starts these servers, prints where the file is that names them, and holds them until
 * Ctrl-C.
 */
const HELP = `npm run clients                      every language's clients, on every stage
npm run clients -- python go         these languages: ${LANGUAGE_IDS.join(", ")}
npm run clients -- --write           writes the table in clients/README.md, rather than compare it
npm run clients -- stage [NAME…]     only starts the servers (${STAGE_NAMES.join(", ")}), prints RBS_STAGE, holds them until Ctrl-C
`;

const ended = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => ended.abort());

async function hold(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !STAGE_NAMES.some((known) => known === name));
  if (unknown.length > 0) throw new Error(`There is no stage ${unknown.join(", ")}, only ${STAGE_NAMES.join(", ")}.`);
  const wanted = STAGE_NAMES.filter((name) => names.length === 0 || names.includes(name));
  await using stage = await openStage(wanted);
  console.log(stage.file);
  await new Promise((resolve) => {
    if (ended.signal.aborted) resolve(undefined);
    ended.signal.addEventListener("abort", resolve);
  });
}

async function run(languages: readonly string[], isToWrite: boolean): Promise<number> {
  const tally = await runClients({ languages, isToWrite }, ended.signal);
  console.log(closingLine(tally));
  return tally.failed === 0 ? 0 : 1;
}

try {
  const { values, positionals } = parseArgs({
    options: { write: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [first, ...others] = positionals;
  if (values.help) console.log(HELP);
  else if (first === "stage") await hold(others);
  else process.exitCode = await run(positionals, values.write);
} catch (error) {
  console.error(ended.signal.aborted ? "Ended by a signal." : error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
