import { readFileSync } from "node:fs";
import type { BrowserKind } from "../../server/src/domain/browser/browser-kind.ts";

export const STAGE_NAMES = ["mock", "fake", "real"] as const;

/** Where scenarios run: against Prism, a server with fake browsers, a server with real ones. */
export type StageName = (typeof STAGE_NAMES)[number];

/** What every language's own runner carries out, once on each of its stages. */
export type Scenario = {
  readonly id: string;
  /** What it shows, for people. */
  readonly title: string;
  readonly on: readonly StageName[];
  readonly error?: ScenarioError;
};

/** How a client comes by an error: `answer` has the fault proxy say it; with everything else the server itself refuses. */
export const PROVOCATIONS = [
  "answer",
  "arguments",
  "headless-desktop",
  "hurried",
  "large-label",
  "limit",
  "missing-kind",
  "prompt:decline",
  "prompt:nonsense",
  "prompt:overloaded",
  "token:noSubscription",
  "token:noUnits",
  "unknown-address",
  "wrong-path",
  "wrong-token",
] as const;

/** The kind that `missing-kind` opens. */
const MISSING_KIND: BrowserKind = "chrome";

/** An error of the contract, and how a client comes by it. */
export type ScenarioError = {
  readonly name: string;
  readonly status: number;
  readonly class: string;
  readonly provoke: Readonly<Record<StageName, (typeof PROVOCATIONS)[number]>>;
  /** What a client calls for `answer`; left out: `open`. */
  readonly operation?: string;
};

export function readScenarios(): readonly Scenario[] {
  return JSON.parse(readFileSync(new URL("../scenarios/scenarios.json", import.meta.url), "utf8")) as Scenario[];
}

/**
 * The scenarios as a machine can carry them out: where the real server lacks no kind of browser, the proxy has to say
 * that it does.
 * @param realKinds The kinds that the real server has.
 */
export function fitScenarios(scenarios: readonly Scenario[], realKinds: ReadonlySet<BrowserKind>): readonly Scenario[] {
  if (!realKinds.has(MISSING_KIND)) return scenarios;
  return scenarios.map((scenario) => {
    const { error } = scenario;
    if (error?.provoke.real !== "missing-kind") return scenario;
    return { ...scenario, error: { ...error, provoke: { ...error.provoke, real: "answer" } } };
  });
}
