import { MUTANT_LISTS } from "./generated/mutant-lists.ts";
import type { Mutant } from "./mutant.ts";

/** All faulty servers. */
export const MUTANTS: readonly Mutant[] = Object.values(MUTANT_LISTS).flat();
