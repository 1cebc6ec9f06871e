import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Edit, Step } from "./read-steps.ts";

/**
 * Takes a step in a workspace.
 * @throws {Error} When the workspace or a command's output differs from the page.
 */
export function takeStep(step: Step, workspace: string): void {
  if (step.kind === "edit") change(step.edit, workspace);
  else run(step, workspace);
}

function change({ file, hunks }: Edit, workspace: string): void {
  const path = join(workspace, file);
  let text = readFileSync(path, "utf8");
  for (const { before, after } of hunks) {
    const count = text.split(before).length - 1;
    if (count !== 1) throw new Error(`${file} has these lines ${count} times, not once:\n${before}`);
    text = text.replace(before, () => after);
  }
  writeFileSync(path, text);
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
    throw new Error(`$ ${command}\ndoes not print this, or not in this place: ${missing}\n${output}`);
}

/** Returns the first line that doesn't follow the ones before it. `…` in a line matches anything. */
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
