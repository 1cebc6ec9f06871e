import { Failure } from "../../../../server/src/domain/failure.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onOption, refuseWhere } from "../../faults/open-options.ts";
import { onSession } from "../../faults/shown.ts";
import { onOpen } from "../../faults/use-cases.ts";

function onLabel(alter: (label: string) => string): Fault {
  return onSession((session) => ({
    ...session,
    label: typeof session.label === "string" ? alter(session.label) : session.label,
  }));
}

function codePoints(text: unknown): readonly string[] {
  return typeof text === "string" ? Array.from(text) : [];
}

function taken(): Failure {
  const message = "is taken";
  return new Failure("BadRequest", `Label ${message}.`, { errors: [{ path: "/Label", message }] });
}

/** Faults in accepting and storing labels. */
export const LABEL_MUTANTS: readonly Mutant[] = [
  mutant("option-label-255", ["RBS-OPEN-10"], "A label of 256 characters is rejected", () =>
    refuseWhere(({ Label }) => (codePoints(Label).length > 255 ? "/Label" : undefined)),
  ),
  mutant("option-label-utf16", ["RBS-OPEN-10"], "Label characters above U+FFFF count twice", () =>
    refuseWhere(({ Label }) => (typeof Label === "string" && Label.length > 256 ? "/Label" : undefined)),
  ),
  mutant("option-label-endless", ["RBS-OPEN-10"], "A label that is too long is truncated instead of rejected", () =>
    onOption("Label", (value) => (typeof value === "string" ? codePoints(value).slice(0, 256).join("") : value)),
  ),
  mutant("option-label-unique", ["RBS-OPEN-11"], "Labels must be unique", () =>
    onOpen(async (call, open, browsers) => {
      const labels = browsers.list(call.account).map(({ label }) => label);
      if (call.options.label !== undefined && labels.includes(call.options.label)) throw taken();
      return open(call);
    }),
  ),
  mutant("option-label-trimmed", ["RBS-OPEN-22"], "Labels are trimmed", () => onLabel((label) => label.trim())),
  mutant("option-label-normalized", ["RBS-OPEN-22"], "Labels are normalized", () =>
    onLabel((label) => label.normalize("NFKC")),
  ),
  mutant("option-label-escaped", ["RBS-OPEN-22"], "Labels are HTML-escaped", () =>
    onLabel((label) => label.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")),
  ),
];
