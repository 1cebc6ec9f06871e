/** A piece of text that a person copies as a whole. */
export type Block = {
  /** What it is among those of its way, each of which has a program. */
  readonly id: "install" | "project" | "program" | "run" | "watch" | "list" | "end";
  /** The file it belongs into, or what it does. */
  readonly title: string;
  readonly text: string;
};

/** One way to use the service. Its programs take the token from `RBS_TOKEN`. */
export type Way = {
  readonly id: string;
  readonly name: string;
  /** What has to be there before, in one sentence. */
  readonly needs: string;
  /** @param url Of the API. */
  readonly toBlocks: (url: string) => readonly Block[];
};

/** What `CLONE` stands for in commands: our packages are in no registry. */
export const CLONE_NOTE =
  "Our packages are in no registry yet; they are built in a clone of the service's repository, and CLONE stands for its folder.";

/** A URL as a literal of JavaScript, Python, Go and Java: what their strings treat differently, URLs hold only in escaped form. */
export function toLiteral(url: string): string {
  return JSON.stringify(url);
}
