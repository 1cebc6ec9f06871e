import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "../target/json.ts";
import { FILES } from "./command.ts";

/** A request in the tool's report, limited to the members that the suite uses. */
export type ToolInteraction = {
  readonly request: {
    readonly method: string;
    readonly uri: string;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly body?: { readonly $base64: string } | null;
  };
  readonly response: {
    readonly status_code: number;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly content: { readonly $base64: string } | null;
  } | null;
  /** Seconds since 1970. */
  readonly timestamp: number;
};

export type ToolCheck = {
  readonly name: string;
  readonly status: "success" | "failure";
  readonly failure_info?: { readonly failure: { readonly title: string; readonly message: string } };
};

/** One operation in one phase, or one sequence of operations. */
export type Scenario = {
  readonly phase: string;
  readonly recorder: {
    readonly label: string;
    readonly cases: Readonly<Record<string, { readonly value: { readonly path: string } }>>;
    readonly checks: Readonly<Record<string, readonly ToolCheck[]>>;
    readonly interactions: Readonly<Record<string, ToolInteraction>>;
  };
};

/** A line written by the hooks. */
type Note =
  | { readonly opened: string }
  | { readonly closed: string }
  | {
      readonly case: string;
      readonly expected: string;
      readonly seen: string;
      readonly exchanges: readonly NotedExchange[];
    };

export type NotedExchange = {
  readonly method: string;
  readonly url: string;
  readonly sent: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly received: string;
};

export type ToolReport = {
  readonly scenarios: readonly Scenario[];
  /** Completed phases. */
  readonly phases: readonly string[];
  /** Errors in the tool itself. The messages may contain addresses. */
  readonly problems: readonly string[];
  readonly notes: readonly Note[];
};

/** Reads the files of a run. Missing files count as problems. */
export async function readToolReport(folder: string): Promise<ToolReport> {
  const events = await readLines(join(folder, FILES.events));
  const scenarios = events.flatMap(({ ScenarioFinished: each }) => (each === undefined ? [] : [toScenario(each)]));
  const phases = events.flatMap(({ PhaseFinished: each }) => {
    const { phase } = (each ?? {}) as { phase?: { name?: string } };
    return phase?.name === undefined ? [] : [phase.name];
  });
  const errors = events.flatMap(({ NonFatalError, FatalError }) => {
    const error = NonFatalError ?? FatalError;
    return error === undefined ? [] : [describeError(error)];
  });
  const notes = (await readLines(join(folder, FILES.notes))) as unknown as Note[];
  return { scenarios, phases, problems: [...new Set([...errors, ...(await readSummary(folder))])], notes };
}

function toScenario(event: unknown): Scenario {
  const { phase, recorder } = event as { phase: string; recorder: Partial<Scenario["recorder"]> };
  // A skipped scenario has only a label.
  const { label = "", cases = {}, checks = {}, interactions = {} } = recorder;
  return { phase, recorder: { label, cases, checks, interactions } };
}

type Summary = { complete: boolean; stop_reason: string; warnings: Record<string, readonly unknown[]> };

async function readSummary(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, FILES.summary), "utf8").catch(() => "");
  const [summary] = readJson(text) as Summary[];
  if (summary === undefined) return ["The tool did not write a summary."];
  const warnings = Object.entries(summary.warnings).filter(([, about]) => about.length > 0);
  return [
    ...(summary.complete ? [] : [`The tool stopped early: ${summary.stop_reason}.`]),
    ...warnings.map(
      ([name, about]) => `The tool reported a warning (${name.replaceAll("_", " ")}): ${JSON.stringify(about)}.`,
    ),
  ];
}

function describeError(error: unknown): string {
  const { value, label } = error as { value?: { message?: unknown } | string; label?: string };
  const message = typeof value === "object" ? value.message : value;
  const text = typeof message === "string" ? message : JSON.stringify(error);
  return `${label ?? "The run"}: ${text.replaceAll(/\s+/g, " ")}`;
}

async function readLines(file: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").flatMap(readJson);
}

/** Parses a line. Empty for invalid JSON, because a killed run leaves a truncated last line. */
function readJson(text: string): readonly Record<string, unknown>[] {
  const value = parse(text);
  return value === undefined ? [] : [value as Record<string, unknown>];
}
