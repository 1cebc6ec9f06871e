/** A step that a page of docs asks its reader to do. */
export type Step =
  | { readonly kind: "edit"; readonly edit: Edit }
  | { readonly kind: "run"; readonly command: string; readonly isToFail: boolean; readonly says: readonly string[] };

/** Places in a file, each with its replacement. */
export type Edit = {
  readonly file: string;
  readonly hunks: readonly { readonly before: string; readonly after: string }[];
};

/**
 * Reads the steps of a page, in order. A `diff` block changes one file. A `console` block runs one command; the lines
 * after it must appear in the output in that order, and `…` in a line matches anything. `# fails` after the command
 * means that it must fail.
 * @throws {Error} When a `diff` or `console` block has another form.
 */
export function readSteps(page: string): Step[] {
  return [...page.matchAll(/^```(diff|console)\n(.*?)^```$/gms)].map(([, language, block = ""]) =>
    language === "diff" ? { kind: "edit", edit: readEdit(block) } : readCommand(block),
  );
}

/** Lines that begin with `@@` separate hunks. They have no line numbers, which would soon be wrong. */
function readEdit(block: string): Edit {
  const [head = "", ...lines] = block.trimEnd().split("\n");
  const file = /^--- (\S+)$/.exec(head)?.[1];
  if (file === undefined) throw new Error(`A diff block begins with "--- FILE", not with "${head}".`);
  const hunks = lines
    .join("\n")
    .split(/^@@.*\n/m)
    .filter((hunk) => hunk.trim() !== "")
    .map((hunk) => hunk.trimEnd().split("\n"));
  const without = (hunk: readonly string[], sign: string): string =>
    hunk
      .filter((line) => !line.startsWith(sign))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  return { file, hunks: hunks.map((hunk) => ({ before: without(hunk, "+"), after: without(hunk, "-") })) };
}

function readCommand(block: string): Step {
  const [head = "", ...says] = block.trimEnd().split("\n");
  const [, command, fails] = /^\$ (.*?)(\s+# fails)?$/.exec(head) ?? [];
  if (command === undefined) throw new Error(`A console block begins with "$ COMMAND", not with "${head}".`);
  return { kind: "run", command, isToFail: fails !== undefined, says: says.filter((line) => line.trim() !== "") };
}
