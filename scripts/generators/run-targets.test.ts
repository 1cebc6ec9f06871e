import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Target, runTargets } from "./run-targets.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "targets-"));
  mkdirSync(join(root, "made"));
  write("source.txt", "one");
});

afterEach(() => rmSync(root, { recursive: true }));

/** Copies the source and leaves temporary files behind, as real tools do. */
const COPY: Target = {
  name: "copy",
  command: ["node", "-e", "fs.copyFileSync('source.txt', 'made/copy.txt'); fs.appendFileSync('runs.txt', '.')"],
  inputs: ["source.txt"],
  outputs: ["made"],
};

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function run(...targets: Target[]) {
  let said = "";
  const isDone = runTargets(targets, root, (text) => {
    said += text;
  });
  return { isDone, said };
}

test("a target is rebuilt only after a change", () => {
  expect(run(COPY)).toMatchObject({ isDone: true, said: expect.stringMatching(/^copy {2}… made \(\d+\.\d s\)\n$/) });
  expect(run(COPY)).toStrictEqual({ isDone: true, said: "copy  up to date\n" });
  expect(read("runs.txt")).toBe(".");
});

test("a changed input makes a target stale", () => {
  run(COPY);
  write("source.txt", "two");
  run(COPY);
  expect(read("made/copy.txt")).toBe("two");
});

test("an edited, added or removed output makes a target stale", () => {
  run(COPY);
  write("made/copy.txt", "by hand");
  run(COPY);
  expect(read("made/copy.txt")).toBe("one");
  write("made/other.txt", "");
  run(COPY);
  rmSync(join(root, "made/copy.txt"));
  run(COPY);
  expect(read("runs.txt")).toBe("....");
});

test("hand-written files and tools' temporary files beside the outputs are ignored", () => {
  const sharing = { ...COPY, owns: (path: string) => path.endsWith("copy.txt") };
  run(sharing);
  write("made/by-hand.txt", "");
  mkdirSync(join(root, "made/node_modules"));
  write("made/node_modules/copy.txt", "");
  expect(run(sharing).said).toContain("up to date");
});

test("a changed command makes a target stale", () => {
  run(COPY);
  expect(run({ ...COPY, command: ["node", "-e", ""] }).said).toContain("made");
});

test("the first failure stops the run and shows the command's output, and the next run retries the target", () => {
  const failing: Target = { ...COPY, name: "failing", command: ["node", "-e", "console.error('no'); process.exit(2)"] };
  const first = run(failing, COPY);
  expect(first.isDone).toBe(false);
  expect(first.said).toMatch(/^failing {2}… failed \(.*\)\nno\n\n$/);
  expect(run(failing, COPY).isDone).toBe(false);
});

test("a missing command is named in the output", () => {
  expect(run({ ...COPY, command: ["no-such-program"] }).said).toContain("no-such-program");
});

test("a target whose input is missing is stale", () => {
  run(COPY);
  expect(() => run({ ...COPY, inputs: ["gone.txt"] })).toThrow("gone.txt");
});

test("a target that this machine can't build is named and skipped", () => {
  const { isDone, said } = run({ ...COPY, name: "python", needs: "python", outputs: ["source.txt"] }, COPY);
  expect(isDone).toBe(false);
  expect(said).toMatch(/^python {2}is stale, and can't be made here: no \.venv\/bin\/python.*\ncopy {4}… made/);
});

test("a changed test doesn't make any target stale", () => {
  write("made/copy.txt", "");
  mkdirSync(join(root, "sources"));
  const target = { ...COPY, inputs: ["source.txt", "sources"] };
  run(target);
  write("sources/some.test.ts", "");
  expect(run(target).said).toContain("up to date");
});
