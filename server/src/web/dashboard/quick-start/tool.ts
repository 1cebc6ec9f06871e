/** A block of code or text with a Copy button. */
export type Block = {
  /** Unique within its tool. Each tool has a program. */
  readonly id: "install" | "project" | "program" | "run" | "watch" | "list" | "end";
  /** The file to save it in, or what it does. */
  readonly title: string;
  readonly text: string;
};

/** A tool or client to use the service with. Its programs read the token from `RBS_TOKEN`. */
export type Tool = {
  readonly id: string;
  readonly name: string;
  /** What has to be installed. */
  readonly needs: string;
  /** @param url Of the API. */
  readonly toBlocks: (url: string) => readonly Block[];
};

/** The three blocks of most tools. @param file Where the program is saved. */
export function toSteps(install: string, [file, program]: readonly [string, string], run: string): readonly Block[] {
  return [
    { id: "install", title: "Install", text: install },
    { id: "program", title: file, text: program },
    { id: "run", title: "Run", text: run },
  ];
}

/** Explains `CLONE` in the commands. */
export const CLONE_NOTE =
  "The client packages are not published yet, so you have to build them in a clone of the service's repository. Replace CLONE with the path of your clone.";

/**
 * A URL as a string literal. JavaScript, Python, Go and Java read it alike, since URLs escape the characters that
 * differ.
 */
export function toLiteral(url: string): string {
  return JSON.stringify(url);
}
