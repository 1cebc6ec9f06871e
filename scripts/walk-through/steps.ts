import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A step in a page of documentation. */
type Step =
  | { readonly kind: "edit"; readonly edit: Edit }
  | { readonly kind: "run"; readonly command: string; readonly isToFail: boolean; readonly says: readonly string[] };

/** Replacements in a file. */
type Edit = {
  readonly file: string;
  readonly hunks: readonly { readonly before: string; readonly after: string }[];
};

/**
 * Reads a page's steps, in order. A `diff` block changes one file. A `console` block runs one command. The lines after
 * the command must appear in the output in the same order, and `…` matches anything in a line. A command with `# fails`
 * after it must fail.
 * @throws {Error} If a `diff` or `console` block is malformed.
 */
export function readSteps(page: string): Step[] {
  return [...page.matchAll(/^```(diff|console)\n(.*?)^```$/gms)].map(([, language, block = ""]) =>
    language === "diff" ? { kind: "edit", edit: readEdit(block) } : readCommand(block),
  );
}

/** Lines that begin with `@@` separate hunks. The separators omit line numbers, which would become outdated. */
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

/** Executes a step in a workspace. @throws {Error} If the workspace or a command's output differs from the page. */
export function takeStep(step: Step, workspace: string): void {
  if (step.kind === "edit") change(step.edit, workspace);
  else run(step, workspace);
}

function change(edit: Edit, workspace: string): void {
  const path = join(workspace, edit.file);
  writeFileSync(path, applyEdit(edit, readFileSync(path, "utf8")));
}

/**
 * Applies an edit to a file's text, and returns the result.
 * @throws {Error} If the text doesn't contain a hunk's lines exactly once.
 */
export function applyEdit({ file, hunks }: Edit, text: string): string {
  return hunks.reduce((changed, { before, after }) => {
    const count = changed.split(before).length - 1;
    if (count !== 1) throw new Error(`${file} contains these lines ${count} times, not once:\n${before}`);
    return changed.replace(before, () => after);
  }, text);
}

function run({ command, isToFail, says }: Extract<Step, { kind: "run" }>, workspace: string): void {
  const path = [join(workspace, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  const { status, stdout, stderr } = spawnSync(command, {
    cwd: workspace,
    shell: true,
    encoding: "utf8",
    env: { ...process.env, PATH: path, NO_COLOR: "1", FORCE_COLOR: "0" },
  });
  const output = `${stdout}${stderr}`;
  if ((status !== 0) !== isToFail) throw new Error(`$ ${command}\nexited with ${status}:\n${output}`);
  const missing = firstMissing(output, says);
  if (missing !== undefined)
    throw new Error(`$ ${command}\ndoesn't print this line, or prints it out of order: ${missing}\n${output}`);
}

/** Returns the first line that is missing in the output or out of order. `…` in a line matches anything. */
export function firstMissing(output: string, lines: readonly string[]): string | undefined {
  const said = output.split("\n");
  return lines.find((line) => {
    const index = said.findIndex((one) => holdsInOrder(one, line.trim().split("…")));
    said.splice(0, index + 1);
    return index === -1;
  });
}

function holdsInOrder(line: string, words: readonly string[]): boolean {
  let from = 0;
  return words.every((word) => {
    const index = line.indexOf(word, from);
    from = index + word.length;
    return index !== -1;
  });
}
