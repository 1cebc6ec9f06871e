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

Holds servers with one fault each against the suite, to see that it notices; the correct one first, in which there is
nothing to notice. Ends with 1 if anything is otherwise.

  --mutant ID        only this one, or those that begin so; may be repeated
  --quick            only with the rules that have to notice, which takes minutes less
  --layer NAME       only with ${LAYERS.join(", ")}; may be repeated
  --no-schemathesis  without Schemathesis, which takes half a minute for each server
  --seed N           where random sequences begin (1)
  --picture PATH     where the matrix is drawn (docs/conformance-mutants.svg, if all were tried with everything)
  --equivalents      only lists the faults that nobody can see, and why
`;

/** The correct server is tried with so many seeds. */
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
if (mutants.length === 0) end(2, "There is no such mutant.\n");
if (unknown.length > 0) end(2, `There is no layer ${unknown.join(", ")}; there are ${LAYERS.join(", ")}.\n`);
if (!Number.isInteger(seed)) end(2, "--seed has to be a whole number.\n");
const layers = chooseLayers(values.layer, values["no-schemathesis"] || values.quick);

const isCorrectClean = values.mutant.length > 0 || (await tryTheCorrect());
const outcomes = await tryAll();
// With the named rules alone, a layer can't show what it notices by itself.
const scores = values.quick ? [] : scoresOf(outcomes);
const alive = outcomes.filter((outcome) => fateOf(outcome) === "SURVIVED");
stdout.write(describeMatrix(outcomes));
stdout.write(`\n${describeFates(outcomes)}.\n`);
stdout.write(scores.length === 0 ? "" : `Each layer by itself:\n${describeScores(scores)}`);
const isWhole = !values.quick && values.mutant.length === 0 && layers.length === LAYERS.length;
const picture = values.picture ?? (isWhole ? PICTURE : undefined);
if (picture !== undefined) await writeFile(picture, drawMatrix(outcomes, scores));
exit(alive.length === 0 && isCorrectClean ? 0 : 1);

/** One seed after the other: together they would be so slow that rules about time could not tell. */
async function tryTheCorrect(): Promise<boolean> {
  let isClean = true;
  for (let each = seed; each < seed + SEEDS; each += 1) {
    const complaints = await tryCorrect(each, layers);
    isClean &&= complaints.length === 0;
    stdout.write(`correct server, seed ${each}: ${complaints.length === 0 ? "nothing to notice" : "WRONG"}\n`);
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
