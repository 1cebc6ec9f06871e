export const HEADING = "// Generated from openapi.yaml by `npm run generate`: change that file, not this one.\n";

/** Prose of the contract as a comment, with as many spaces before it. */
export function renderDoc(prose: string | undefined, indent = 0): string {
  const lines = (prose ?? "").trim().replaceAll("*/", "*\\/").split("\n");
  const margin = " ".repeat(indent);
  if (lines.length === 1) return `${margin}/** ${lines[0]} */\n`;
  return [`${margin}/**`, ...lines.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */\n`].join("\n");
}

/** Blocks of a source, a blank line between each two. */
export function renderSource(...blocks: readonly string[]): string {
  return [HEADING, ...blocks.map((block) => (block.endsWith("\n") ? block : `${block}\n`))].join("\n");
}
