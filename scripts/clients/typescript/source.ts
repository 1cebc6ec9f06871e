const HEADING = "// Generated from the contract by `npm run generate`: change the files in openapi/, not this one.\n";

/** Renders the contract's prose as a doc comment. */
export function renderDoc(prose: string | undefined, indent = 0): string {
  const lines = (prose ?? "").trim().replaceAll("*/", "*\\/").split("\n");
  const margin = " ".repeat(indent);
  if (lines.length === 1) return `${margin}/** ${lines[0]} */\n`;
  return [`${margin}/**`, ...lines.map((line) => `${margin} * ${line}`.trimEnd()), `${margin} */\n`].join("\n");
}

/** Joins blocks of source code with blank lines. */
export function renderSource(...blocks: readonly string[]): string {
  return [HEADING, ...blocks.map((block) => (block.endsWith("\n") ? block : `${block}\n`))].join("\n");
}
