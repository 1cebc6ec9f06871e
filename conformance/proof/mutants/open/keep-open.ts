import { type Mutant, mutant } from "../../mutant.ts";
import { refuseWhere, understandAs } from "../../faults/open-options.ts";

/** Values of KeepOpen. */
export const KEEP_OPEN_MUTANTS: readonly Mutant[] = [
  mutant("option-keepopen-null-is-zero", ["RBS-IDLE-08"], "KeepOpen null means 0, the maximum of the plan", () =>
    understandAs((options) => (options["KeepOpen"] === null ? { ...options, KeepOpen: 0 } : options)),
  ),
  mutant("option-keepopen-string", ["RBS-OPEN-03"], "KeepOpen accepts a string of digits", () =>
    understandAs((options) =>
      typeof options["KeepOpen"] === "string" ? { ...options, KeepOpen: Number(options["KeepOpen"]) } : options,
    ),
  ),
  mutant("option-keepopen-boolean", ["RBS-OPEN-03"], "KeepOpen true is accepted", () =>
    understandAs((options) => (options["KeepOpen"] === true ? { ...options, KeepOpen: 30 } : options)),
  ),
  mutant("option-keepopen-negative", ["RBS-OPEN-03", "RBS-FUZZ-06"], "A negative KeepOpen means the default", () =>
    understandAs((options) => (Number(options["KeepOpen"]) < 0 ? { ...options, KeepOpen: 30 } : options)),
  ),
  mutant("option-keepopen-whole", ["RBS-OPEN-16"], "A fractional KeepOpen is refused", () =>
    refuseWhere(({ KeepOpen }) =>
      typeof KeepOpen === "number" && !Number.isInteger(KeepOpen) ? "/KeepOpen" : undefined,
    ),
  ),
  mutant("option-keepopen-not-zero", ["RBS-OPEN-16"], "KeepOpen 0 is refused", () =>
    refuseWhere(({ KeepOpen }) => (KeepOpen === 0 ? "/KeepOpen" : undefined)),
  ),
  mutant("option-keepopen-capped", ["RBS-OPEN-16"], "A KeepOpen of more than a day is refused", () =>
    refuseWhere(({ KeepOpen }) => (Number(KeepOpen) > 86_400 ? "/KeepOpen" : undefined)),
  ),
];
