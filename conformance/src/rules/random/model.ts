import { concurrent, sequential } from "../../model/draw.ts";
import { type Effort, trySequences } from "../../model/try-sequences.ts";
import { type Sequence, withoutDesktops } from "../../model/step.ts";
import { CLOSE, GET, START } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Run } from "../../session/run.ts";

const SEQUENTIAL_OPENS = 20;
const CONCURRENT_OPENS = 14;
/** Browsers that each rule may open in the `deploy` profile, which tests live deployments. */
const DEPLOY_OPENS = 6;
const AT_ONCE = 3;

const SHRINKING = { shrinkOpens: 24, shrinkMs: 30_000, repeats: 3 };

/** Random request sequences, checked against a small model of the contract. */
export const MODEL_RULES = scenarios(
  { capability: "core", layer: "model", atOnce: AT_ONCE, opensInDeploy: DEPLOY_OPENS },
  [
    {
      id: "RBS-MODEL-01",
      at: `${GET}/description`,
      sentence:
        "A browser appears as soon as its Open request has been answered and disappears when it closes, for whatever reason.",
      opens: SEQUENTIAL_OPENS,
      check: (run) => trySequential(run, withoutDesktops),
    },
    {
      id: "RBS-MODEL-02",
      at: `${CLOSE}/description`,
      sentence: "If several Close requests for a browser arrive at the same time, at least one of them returns 200.",
      opens: CONCURRENT_OPENS,
      check: (run) => tryConcurrent(run, withoutDesktops),
    },
    {
      id: "RBS-MODEL-03",
      capability: "desktop",
      at: `${START}/description`,
      sentence: "A desktop stops when its browser closes, and its viewers are disconnected.",
      opens: SEQUENTIAL_OPENS,
      check: (run) => trySequential(run, asDrawn),
    },
    {
      id: "RBS-MODEL-04",
      capability: "desktop",
      at: `${START}/description`,
      sentence: "Concurrent StartRemoteDesktop requests also return the same passwords.",
      opens: CONCURRENT_OPENS,
      check: (run) => tryConcurrent(run, asDrawn),
    },
  ],
);

const asDrawn = (sequence: Sequence): Sequence => sequence;

async function trySequential(run: Run, alter: (sequence: Sequence) => Sequence): Promise<void> {
  const { profile, parallel, contract } = run.options;
  const lengths = profile === "full" ? { minGroups: 14, maxGroups: 26 } : { minGroups: 8, maxGroups: 12 };
  const sequences = sequential({ ...lengths, maxOpens: Math.min(AT_ONCE, parallel) }, contract);
  await trySequences(run, sequences.map(alter), effortFor(run, SEQUENTIAL_OPENS));
}

async function tryConcurrent(run: Run, alter: (sequence: Sequence) => Sequence): Promise<void> {
  const { profile, parallel } = run.options;
  const lengths = profile === "full" ? { minGroups: 4, maxGroups: 7 } : { minGroups: 2, maxGroups: 3 };
  const sequences = concurrent({ ...lengths, maxOpens: Math.min(AT_ONCE, parallel) });
  await trySequences(run, sequences.map(alter), effortFor(run, CONCURRENT_OPENS));
}

function effortFor({ options: { profile } }: Run, opens: number): Effort {
  if (profile === "full") return { ...SHRINKING, opens, withinMs: 15_000 };
  return { ...SHRINKING, opens: DEPLOY_OPENS, withinMs: 15_000, shrinkOpens: 12 };
}
