/** One thing that a page of docs asks its reader to do. */
export type Step =
  | { readonly kind: "edit"; readonly edit: Edit }
  | { readonly kind: "run"; readonly command: string; readonly isToFail: boolean; readonly says: readonly string[] };

/** Places of one file, each with what comes in its stead. */
export type Edit = {
  readonly file: string;
  readonly hunks: readonly { readonly before: string; readonly after: string }[];
};

/**
 * The steps of a page, in its order: each `diff` block changes one file, and each `console` block runs one command, whose
 * following lines stand in what it says, in that order, with `…` for whatever else; `# fails` behind the command means
 * that it must.
 * @throws {Error} When a block is none of the two forms.
 */
export function readSteps(page: string): Step[] {
  return [...page.matchAll(/^```(diff|console)\n(.*?)^```$/gms)].map(([, language, block = ""]) =>
    language === "diff" ? { kind: "edit", edit: readEdit(block) } : readCommand(block),
  );
}

/** Hunks are told apart by lines that begin with `@@`; they carry no line numbers, which would not stay true. */
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
