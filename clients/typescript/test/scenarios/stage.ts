import { readFileSync } from "node:fs";

/** A server to test the client with, behind a proxy that injects faults. */
export type Stage = {
  readonly name: "mock" | "fake" | "real";
  readonly url: string;
  readonly token: string;
  readonly tokens: Readonly<Record<string, string>>;
};

/** An error in the contract, and how to trigger it on each stage. */
type ExpectedError = {
  readonly name: string;
  readonly status: number;
  readonly class: string;
  readonly provoke: Readonly<Record<Stage["name"], string>>;
  readonly operation?: string;
};

export type Scenario = {
  readonly id: string;
  readonly title: string;
  readonly on: readonly Stage["name"][];
  readonly error?: ExpectedError;
};

/** The file whose path is in RBS_STAGE: the stages, the scenarios, and the path for reporting the results. */
export type StageFile = {
  readonly stages: readonly Stage[];
  readonly report: string;
  readonly scenarios: readonly Scenario[];
};

export function readStageFile(path: string): StageFile {
  return JSON.parse(readFileSync(path, "utf8")) as StageFile;
}
