import type { Arbitrary } from "fast-check";
import { concurrent, sequential } from "../../model/draw.ts";
import { type Effort, trySequences } from "../../model/try-sequences.ts";
import { type Sequence, withoutDesktops } from "../../model/step.ts";
import { CLOSE, GET } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Run } from "../../session/run.ts";
import type { Profile } from "../../session/run-options.ts";

const SEQUENTIAL_OPENS = 36;
const CONCURRENT_OPENS = 24;
/** Browsers that each rule may open in the `deploy` profile, which tests live deployments. */
const DEPLOY_OPENS = 6;
const AT_ONCE = 3;

const SHRINKING = { shrinkOpens: 24, shrinkMs: 30_000, repeats: 3 };

function effortFor(profile: Profile, opens: number): Effort {
  if (profile === "full") return { ...SHRINKING, opens, withinMs: 15_000 };
  return { ...SHRINKING, opens: DEPLOY_OPENS, withinMs: 15_000, shrinkOpens: 12 };
}

/** Removes desktops from the sequences if the run doesn't test desktops. */
function ofTested({ options }: Run, sequences: Arbitrary<Sequence>): Arbitrary<Sequence> {
  return options.isWithoutDesktops === true ? sequences.map(withoutDesktops) : sequences;
}

/** Random request sequences, checked against a small model of the contract. */
export const MODEL_RULES = scenarios({ capability: "core", atOnce: AT_ONCE }, [
  {
    layer: "model",
    id: "RBS-MODEL-01",
    at: `${GET}/description`,
    sentence:
      "A browser appears as soon as its Open request has been answered and disappears when it closes, for whatever reason.",
    opens: SEQUENTIAL_OPENS,
    opensInDeploy: DEPLOY_OPENS,
    async check(run) {
      const { profile, parallel, contract } = run.options;
      const lengths = profile === "full" ? { minGroups: 14, maxGroups: 26 } : { minGroups: 8, maxGroups: 12 };
      const sequences = sequential({ ...lengths, maxOpens: Math.min(AT_ONCE, parallel) }, contract);
      await trySequences(run, ofTested(run, sequences), effortFor(profile, SEQUENTIAL_OPENS));
    },
  },
  {
    layer: "model",
    id: "RBS-MODEL-02",
    at: `${CLOSE}/description`,
    sentence: "If several Close requests for a browser arrive at the same time, at least one of them returns 200.",
    opens: CONCURRENT_OPENS,
    opensInDeploy: DEPLOY_OPENS,
    async check(run) {
      const { profile, parallel } = run.options;
      const lengths = profile === "full" ? { minGroups: 4, maxGroups: 7 } : { minGroups: 2, maxGroups: 3 };
      const sequences = concurrent({ ...lengths, maxOpens: Math.min(AT_ONCE, parallel) });
      await trySequences(run, ofTested(run, sequences), effortFor(profile, CONCURRENT_OPENS));
    },
  },
]);
