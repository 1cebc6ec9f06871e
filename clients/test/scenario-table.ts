import { readFileSync } from "node:fs";
import type { BrowserKind } from "../../server/src/domain/browser/browser-kind.ts";

export const STAGE_NAMES = ["mock", "fake", "real"] as const;

/** Where scenarios run: on Prism, on a server with fake browsers, and on a server with real browsers. */
export type StageName = (typeof STAGE_NAMES)[number];

/** Scenarios that the tests of every language run on each of their stages. */
export type Scenario = {
  readonly id: string;
  /** A description for readers. */
  readonly title: string;
  readonly on: readonly StageName[];
  readonly error?: ScenarioError;
};

/** How a client provokes an error. For `answer`, the fault proxy answers. In all other cases, the server answers. */
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

/** The kind of browser that `missing-kind` opens. */
const MISSING_KIND: BrowserKind = "chrome";

/** An error of the contract, and how a client provokes it. */
type ScenarioError = {
  readonly name: string;
  readonly status: number;
  readonly class: string;
  readonly provoke: Readonly<Record<StageName, (typeof PROVOCATIONS)[number]>>;
  /** The operation to call for `answer`. Default: `open`. */
  readonly operation?: string;
};

export function readScenarios(): readonly Scenario[] {
  return JSON.parse(readFileSync(new URL("../scenarios/scenarios.json", import.meta.url), "utf8")) as Scenario[];
}

/**
 * Leaves out the mock and real browsers where the fake server can answer: the client does the same on all of them. The
 * scenario `readme` builds and installs the client's package, which takes as long as all the others, so it doesn't run.
 */
export function toQuick(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.map((scenario) => {
    if (scenario.id === "readme") return { ...scenario, on: [] };
    return scenario.on.includes("fake") ? { ...scenario, on: ["fake"] } : scenario;
  });
}

/**
 * Adapts the scenarios to this machine: if the real server has all kinds of browsers, the fault proxy answers for a
 * missing kind.
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
