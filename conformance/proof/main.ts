import { exit, stderr, stdout } from "node:process";
import { misuse, startCommand } from "../../command-line/src/command-line.ts";
import { LAYERS, type Layer } from "../src/contract/vocabulary.ts";
import { tryCorrect } from "./correct.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import { MUTANTS } from "./mutants.ts";
import { type Outcome, describeFates, fateOf, scoresOf, toOutcome } from "./report/outcome.ts";
import { describeMatrix, describeOutcome, describeScores } from "./report/table.ts";
import { tryMutants } from "./try-mutants.ts";

const USAGE = `npm run conformance:mutants -- [options]

Runs the suite on the correct server, which must pass, and on servers with one fault each, which the suite must detect.
Exits with 1 otherwise.

  --mutant ID        test only this mutant, or all mutants with this prefix; can be repeated
  --quick            run only the rules that must detect each fault, which is much faster
  --layer NAME       run only ${LAYERS.join(", ")}; can be repeated
  --no-schemathesis  skip Schemathesis, which takes half a minute per server
  --seed N           seed of the random sequences (1)
  --equivalents      list the faults that can't be detected, with the reasons, and exit
`;

/** The number of seeds to test the correct server with. */
const SEEDS = 3;

const { values } = startCommand({
  usage: USAGE,
  options: {
    mutant: { type: "string", multiple: true, default: [] },
    layer: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    "no-schemathesis": { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    equivalents: { type: "boolean", default: false },
  },
});

if (values.equivalents) {
  stdout.write(EQUIVALENTS.map(({ title, reason }) => `${title}\n  ${reason}\n`).join(""));
  exit(0);
}
const isWanted = (id: string): boolean => values.mutant.some((begin) => id.startsWith(begin));
const mutants = values.mutant.length === 0 ? MUTANTS : MUTANTS.filter(({ id }) => isWanted(id));
const unknown = values.layer.filter((name) => !LAYERS.some((layer) => layer === name));
const seed = Number(values.seed);
if (mutants.length === 0) misuse("No mutant matches --mutant.");
if (unknown.length > 0) misuse(`The layer ${unknown.join(", ")} does not exist. Choose from ${LAYERS.join(", ")}.`);
if (!Number.isInteger(seed)) misuse("--seed must be a whole number.");
const layers = chooseLayers(values.layer, values["no-schemathesis"] || values.quick);

const isCorrectAccepted = values.mutant.length > 0 || (await testCorrectServer());
const outcomes = await tryAll();
// If only the named rules run, the layers' scores are meaningless.
const scores = values.quick ? [] : scoresOf(outcomes);
const survivors = outcomes.filter((outcome) => fateOf(outcome) === "SURVIVED");
stdout.write(describeMatrix(outcomes));
stdout.write(`\n${describeFates(outcomes)}.\n`);
stdout.write(scores.length === 0 ? "" : `Each layer on its own:\n${describeScores(scores)}`);
exit(survivors.length === 0 && isCorrectAccepted ? 0 : 1);

/** Tests one seed after another, because concurrent runs would be too slow for timing rules. */
async function testCorrectServer(): Promise<boolean> {
  let isClean = true;
  for (let each = seed; each < seed + SEEDS; each += 1) {
    const complaints = await tryCorrect(each, layers);
    isClean &&= complaints.length === 0;
    stdout.write(`correct server, seed ${each}: ${complaints.length === 0 ? "passed" : "FAILED"}\n`);
    for (const { rule, verdict, reason, findings } of complaints) {
      const [finding] = findings;
      stdout.write(`  ${rule} ${verdict}: ${reason ?? `expected ${finding?.expected}, but saw ${finding?.seen}`}\n`);
    }
  }
  return isClean;
}

async function tryAll(): Promise<readonly Outcome[]> {
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const found = new Map<string, Outcome>();
  const how = values.quick ? "named" : "all";
  await tryMutants(mutants, { how, layers, seed }, (trial) => {
    const mutant = byId.get(trial.mutant);
    if (mutant === undefined) return;
    const outcome = toOutcome(mutant, trial);
    found.set(trial.mutant, outcome);
    stderr.write(`${String(found.size).padStart(4)}/${mutants.length}  ${describeOutcome(outcome)}\n`);
  });
  return mutants.flatMap(({ id }) => found.get(id) ?? []);
}

function chooseLayers(wanted: readonly string[], isWithoutFuzz: boolean): readonly Layer[] {
  const chosen = LAYERS.filter((layer) => wanted.length === 0 || wanted.includes(layer));
  return isWithoutFuzz ? chosen.filter((layer) => layer !== "schemathesis") : chosen;
}
