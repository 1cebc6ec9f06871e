import { type Mutant, mutant } from "../../mutant.ts";
import { onOption, refuseWhere } from "../../faults/open-options.ts";

/** Values of KeepOpen. */
export const KEEP_OPEN_MUTANTS: readonly Mutant[] = [
  mutant("option-keepopen-null-is-zero", ["RBS-IDLE-08"], "KeepOpen null means 0, the plan's maximum", () =>
    onOption("KeepOpen", (value) => (value === null ? 0 : value)),
  ),
  mutant("option-keepopen-string", ["RBS-OPEN-03"], "KeepOpen accepts a string of digits", () =>
    onOption("KeepOpen", (value) => (typeof value === "string" ? Number(value) : value)),
  ),
  mutant("option-keepopen-boolean", ["RBS-OPEN-03"], "KeepOpen true is accepted", () =>
    onOption("KeepOpen", (value) => (value === true ? 30 : value)),
  ),
  mutant("option-keepopen-negative", ["RBS-OPEN-03", "RBS-FUZZ-06"], "A negative KeepOpen means the default", () =>
    onOption("KeepOpen", (value) => (Number(value) < 0 ? 30 : value)),
  ),
  mutant("option-keepopen-whole", ["RBS-OPEN-16"], "A fractional KeepOpen is rejected", () =>
    refuseWhere(({ KeepOpen }) =>
      typeof KeepOpen === "number" && !Number.isInteger(KeepOpen) ? "/KeepOpen" : undefined,
    ),
  ),
  mutant("option-keepopen-not-zero", ["RBS-OPEN-16"], "KeepOpen 0 is rejected", () =>
    refuseWhere(({ KeepOpen }) => (KeepOpen === 0 ? "/KeepOpen" : undefined)),
  ),
  mutant("option-keepopen-capped", ["RBS-OPEN-16"], "A KeepOpen of more than a day is rejected", () =>
    refuseWhere(({ KeepOpen }) => (Number(KeepOpen) > 86_400 ? "/KeepOpen" : undefined)),
  ),
];
