import type { Mutant } from "../mutant.ts";
import { refuseWhere, understandAs } from "./open-options.ts";

/** Values of KeepOpen. */
export const KEEP_OPEN_MUTANTS: readonly Mutant[] = [
  {
    id: "option-keepopen-null-is-zero",
    title: "KeepOpen null means 0, the maximum of the plan",
    killedBy: ["RBS-IDLE-08"],
    fault: () => understandAs((options) => (options["KeepOpen"] === null ? { ...options, KeepOpen: 0 } : options)),
  },
  {
    id: "option-keepopen-string",
    title: "KeepOpen accepts a string of digits",
    killedBy: ["RBS-OPEN-03"],
    fault: () =>
      understandAs((options) =>
        typeof options["KeepOpen"] === "string" ? { ...options, KeepOpen: Number(options["KeepOpen"]) } : options,
      ),
  },
  {
    id: "option-keepopen-boolean",
    title: "KeepOpen true is accepted",
    killedBy: ["RBS-OPEN-03"],
    fault: () => understandAs((options) => (options["KeepOpen"] === true ? { ...options, KeepOpen: 30 } : options)),
  },
  {
    id: "option-keepopen-negative",
    title: "A negative KeepOpen means the default",
    killedBy: ["RBS-OPEN-03", "RBS-FUZZ-06"],
    fault: () => understandAs((options) => (Number(options["KeepOpen"]) < 0 ? { ...options, KeepOpen: 30 } : options)),
  },
  {
    id: "option-keepopen-whole",
    title: "A fractional KeepOpen is refused",
    killedBy: ["RBS-OPEN-16"],
    fault: () =>
      refuseWhere(({ KeepOpen }) =>
        typeof KeepOpen === "number" && !Number.isInteger(KeepOpen) ? "/KeepOpen" : undefined,
      ),
  },
  {
    id: "option-keepopen-not-zero",
    title: "KeepOpen 0 is refused",
    killedBy: ["RBS-OPEN-16"],
    fault: () => refuseWhere(({ KeepOpen }) => (KeepOpen === 0 ? "/KeepOpen" : undefined)),
  },
  {
    id: "option-keepopen-capped",
    title: "A KeepOpen of more than a day is refused",
    killedBy: ["RBS-OPEN-16"],
    fault: () => refuseWhere(({ KeepOpen }) => (Number(KeepOpen) > 86_400 ? "/KeepOpen" : undefined)),
  },
];
