import type { Tally } from "../../../scripts/tally/tally.ts";

export const LANGUAGE_IDS = ["typescript", "python", "go", "java"] as const;

/** As a language's tests call themselves in the report, and as its folder is called. */
export type LanguageId = (typeof LANGUAGE_IDS)[number];

/** A language that clients are written in, and its own test runner. */
export type Language = {
  readonly id: LanguageId;
  readonly title: string;
  /** @returns What this machine lacks to try it, such as "there is no go on the PATH"; undefined: nothing. */
  readonly missing: (root: string) => string | undefined;
  /** Runs its tests. @returns How many ended how; a runner that fails without a failed test counts as one. */
  readonly run: (bench: Bench) => Promise<Tally>;
};

/** What a language's tests are run with. */
export type Bench = {
  /** The workspace. */
  readonly root: string;
  /** For reports; it is empty. */
  readonly folder: string;
  /** Runs a command to its end, with the stage in its environment. */
  readonly command: (line: CommandLine) => Promise<number | null>;
};

export type CommandLine = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Takes its standard output, a line each, in place of the terminal. */
  readonly onLine?: (line: string) => void;
};
