/** A block of code or text with a Copy button. */
export type Block = {
  /** Unique within its tool. Every tool has a `program` block. */
  readonly id: "install" | "project" | "program" | "run" | "watch" | "list" | "end";
  /** A file name or a description. */
  readonly title: string;
  readonly text: string;
};

/** A tool or client to use the service with. Its programs read the token from `RBS_TOKEN`. */
export type Tool = {
  readonly id: string;
  readonly name: string;
  /** Describes the software that the tool requires. */
  readonly needs: string;
  /** @param url The API's base URL. */
  readonly toBlocks: (url: string) => readonly Block[];
};

/** Returns the blocks that most tools have. @param file The program's file name. */
export function toSteps(install: string, [file, program]: readonly [string, string], run: string): readonly Block[] {
  return [
    { id: "install", title: "Install", text: install },
    { id: "program", title: file, text: program },
    { id: "run", title: "Run", text: run },
  ];
}

/** Explains the `CLONE` placeholder in the commands. */
export const CLONE_NOTE =
  "The client packages are not published yet, so you have to build them from a clone of the service's repository. Replace CLONE with the path to your clone.";

/**
 * Formats a URL as a string literal for JavaScript, Python, Go and Java. URLs escape the characters that these
 * languages treat differently.
 */
export function toLiteral(url: string): string {
  return JSON.stringify(url);
}
