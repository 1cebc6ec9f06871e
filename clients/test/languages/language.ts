import type { Tally } from "../../../scripts/tally/tally.ts";

export const LANGUAGE_IDS = ["typescript", "python", "go", "java"] as const;

/** A language's name in reports, and the name of its folder. */
export type LanguageId = (typeof LANGUAGE_IDS)[number];

/** A client language and its test runner. */
export type Language = {
  readonly id: LanguageId;
  readonly title: string;
  /** Returns what the tests lack on this machine, such as "no go on the PATH"; undefined if nothing is missing. */
  readonly missing: (root: string) => string | undefined;
  /**
   * Runs the tests.
   * @returns The number of tests with each result. If the runner fails without a failed test, the run counts as one
   * failure.
   */
  readonly run: (bench: Bench) => Promise<Tally>;
};

/** Parameters of a test run. */
export type Bench = {
  /** The repository's root folder. */
  readonly root: string;
  /** An empty directory for reports. */
  readonly folder: string;
  /** Runs a command with `RBS_STAGE` in its environment, and waits until the command exits. */
  readonly command: (line: CommandLine) => Promise<number | null>;
};

export type CommandLine = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Receives each line of stdout. If undefined, stdout is written to the terminal. */
  readonly onLine?: (line: string) => void;
};
