import { writeFile } from "node:fs/promises";
import { exit, stderr, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { LAYERS, type Layer } from "../src/registry/vocabulary.ts";
import { tryCorrect } from "./correct.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import { MUTANTS } from "./mutants.ts";
import { type Outcome, describeFates, fateOf, scoresOf, toOutcome } from "./outcome.ts";
import { drawMatrix } from "./picture.ts";
import { describeMatrix, describeOutcome, describeScores } from "./table.ts";
import { tryMutants } from "./try-mutants.ts";

const HELP = `Usage: npm run conformance:mutants -- [options]

Runs the suite against the correct server, and against servers with one fault each. Exits with 1 when a rule fails on the
correct server, or when the suite doesn't detect a fault.

  --mutant ID        only mutants whose id starts with this; may be repeated
  --quick            only the rules that have to detect each fault, which saves minutes
  --layer NAME       only this layer: ${LAYERS.join(", ")}; may be repeated
  --no-schemathesis  without Schemathesis, which takes half a minute per server
  --seed N           the seed of random sequences (1)
  --picture PATH     the file for the matrix (docs/conformance-mutants.svg after a complete run)
  --equivalents      only lists faults that a suite can't detect, and why
`;

/** How many seeds the correct server is tried with. */
const SEEDS = 3;
const PICTURE = fileURLToPath(new URL("../../docs/conformance-mutants.svg", import.meta.url));

const { values } = parseArgs({
  options: {
    mutant: { type: "string", multiple: true, default: [] },
    layer: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    "no-schemathesis": { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    picture: { type: "string" },
    equivalents: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help) end(0, HELP);
if (values.equivalents) end(0, EQUIVALENTS.map(({ title, reason }) => `${title}\n  ${reason}\n`).join(""));
const isWanted = (id: string): boolean => values.mutant.some((begin) => id.startsWith(begin));
const mutants = values.mutant.length === 0 ? MUTANTS : MUTANTS.filter(({ id }) => isWanted(id));
const unknown = values.layer.filter((name) => !LAYERS.some((layer) => layer === name));
const seed = Number(values.seed);
if (mutants.length === 0) end(2, "No mutant has such an id.\n");
if (unknown.length > 0) end(2, `Unknown layer ${unknown.join(", ")}. Choose one of: ${LAYERS.join(", ")}.\n`);
if (!Number.isInteger(seed)) end(2, "--seed must be a whole number.\n");
const layers = chooseLayers(values.layer, values["no-schemathesis"] || values.quick);

const isCorrectClean = values.mutant.length > 0 || (await tryTheCorrect());
const outcomes = await tryAll();
// With the named rules only, the score of a layer would mean nothing.
const scores = values.quick ? [] : scoresOf(outcomes);
const alive = outcomes.filter((outcome) => fateOf(outcome) === "ALIVE");
stdout.write(describeMatrix(outcomes));
stdout.write(`\n${describeFates(outcomes)}.\n`);
stdout.write(scores.length === 0 ? "" : `Each layer alone:\n${describeScores(scores)}`);
const isWhole = !values.quick && values.mutant.length === 0 && layers.length === LAYERS.length;
const picture = values.picture ?? (isWhole ? PICTURE : undefined);
if (picture !== undefined) await writeFile(picture, drawMatrix(outcomes, scores));
exit(alive.length === 0 && isCorrectClean ? 0 : 1);

/** Runs one seed after the other: in parallel, rules about time would become inconclusive. */
async function tryTheCorrect(): Promise<boolean> {
  let isClean = true;
  for (let each = seed; each < seed + SEEDS; each += 1) {
    const complaints = await tryCorrect(each, layers);
    isClean &&= complaints.length === 0;
    stdout.write(`correct server, seed ${each}: ${complaints.length === 0 ? "no rule fails" : "WRONG"}\n`);
    for (const { rule, verdict, reason, findings } of complaints) {
      const [finding] = findings;
      stdout.write(`  ${rule} ${verdict}: ${reason ?? `expected ${finding?.expected}, seen ${finding?.seen}`}\n`);
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

function end(code: number, words: string): never {
  (code === 0 ? stdout : stderr).write(words);
  exit(code);
}
