import type { Tally } from "../../../scripts/tally/tally.ts";

export const LANGUAGE_IDS = ["typescript", "python", "go", "java"] as const;

/** The language's name in reports and its folder. */
export type LanguageId = (typeof LANGUAGE_IDS)[number];

/** A client language and its test runner. */
export type Language = {
  readonly id: LanguageId;
  readonly title: string;
  /** What this machine lacks to run the tests, such as "no go on the PATH". Undefined if it lacks nothing. */
  readonly missing: (root: string) => string | undefined;
  /**
   * Runs the tests.
   * @returns The number of tests per result. A runner that fails without a failed test counts as one failure.
   */
  readonly run: (bench: Bench) => Promise<Tally>;
};

/** Parameters of a test run. */
export type Bench = {
  /** The root of the repository. */
  readonly root: string;
  /** An empty directory for reports. */
  readonly folder: string;
  /** Runs a command and waits for its end. `RBS_STAGE` is in its environment. */
  readonly command: (line: CommandLine) => Promise<number | null>;
};

export type CommandLine = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Receives the lines of its standard output. Otherwise they go to the terminal. */
  readonly onLine?: (line: string) => void;
};
