import { readFileSync } from "node:fs";
import type { BrowserKind } from "../../server/src/domain/browser/browser-kind.ts";

export const STAGE_NAMES = ["mock", "fake", "real"] as const;

/** A server that runs scenarios: Prism, a server with fake browsers, or a server with real browsers. */
export type StageName = (typeof STAGE_NAMES)[number];

/** A scenario that every language's tests run on each of the scenario's stages. */
export type Scenario = {
  readonly id: string;
  /** A description for readers. */
  readonly title: string;
  readonly on: readonly StageName[];
  readonly error?: ScenarioError;
};

/** Ways to trigger an error. The fault proxy responds for `answer`, and the server responds for all other values. */
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

/** An error in the contract, and how a client triggers it. */
type ScenarioError = {
  readonly name: string;
  readonly status: number;
  readonly class: string;
  readonly provoke: Readonly<Record<StageName, (typeof PROVOCATIONS)[number]>>;
  /** The operation that `answer` calls. Default: `open`. */
  readonly operation?: string;
};

export function readScenarios(): readonly Scenario[] {
  return JSON.parse(readFileSync(new URL("../scenarios/scenarios.json", import.meta.url), "utf8")) as Scenario[];
}

/**
 * If a scenario can run on the fake server, keeps only that stage, because clients behave the same on all stages.
 * Removes `readme`, which builds and installs the client's package and takes as long as all other scenarios together.
 */
export function toQuick(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.map((scenario) => {
    if (scenario.id === "readme") return { ...scenario, on: [] };
    return scenario.on.includes("fake") ? { ...scenario, on: ["fake"] } : scenario;
  });
}

/**
 * Adapts the scenarios to this machine: if the real server has all kinds of browsers, the fault proxy returns the error
 * for a missing kind.
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
