import { Failure } from "../../../server/src/domain/failure.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { onSession } from "./lists.ts";
import { refuseWhere, understandAs } from "./open-options.ts";
import { onBrowsers } from "./use-cases.ts";

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

/** Which labels are accepted, and how they are stored. */
export const LABEL_MUTANTS: readonly Mutant[] = [
  {
    id: "option-label-255",
    title: "A label of 256 characters is refused",
    killedBy: ["RBS-OPEN-10"],
    fault: () => refuseWhere(({ Label }) => (codePoints(Label).length > 255 ? "/Label" : undefined)),
  },
  {
    id: "option-label-utf16",
    title: "Characters of a label outside the basic plane count twice",
    killedBy: ["RBS-OPEN-10"],
    fault: () => refuseWhere(({ Label }) => (typeof Label === "string" && Label.length > 256 ? "/Label" : undefined)),
  },
  {
    id: "option-label-endless",
    title: "A label that is too long is cut instead of refused",
    killedBy: ["RBS-OPEN-10"],
    fault: () =>
      understandAs((options) =>
        typeof options["Label"] === "string"
          ? { ...options, Label: codePoints(options["Label"]).slice(0, 256).join("") }
          : options,
      ),
  },
  {
    id: "option-label-unique",
    title: "Labels must be unique",
    killedBy: ["RBS-OPEN-11"],
    fault: () =>
      onBrowsers((browsers) => ({
        async openNew(call, ...rest) {
          const labels = browsers.list(call.account).map(({ label }) => label);
          if (call.options.label !== undefined && labels.includes(call.options.label)) throw taken();
          return browsers.openNew(call, ...rest);
        },
      })),
  },
  {
    id: "option-label-trimmed",
    title: "Spaces around a label are removed",
    killedBy: ["RBS-OPEN-22"],
    fault: () => onLabel((label) => label.trim()),
  },
  {
    id: "option-label-normalized",
    title: "Labels are normalized",
    killedBy: ["RBS-OPEN-22"],
    fault: () => onLabel((label) => label.normalize("NFKC")),
  },
  {
    id: "option-label-escaped",
    title: "Labels are escaped for HTML",
    killedBy: ["RBS-OPEN-22"],
    fault: () => onLabel((label) => label.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")),
  },
];
