import { execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyEdit, readSteps } from "./steps.ts";

const PAGE = readFileSync("docs/add-an-operation.md", "utf8");

test("docs/add-an-operation.md shows the current code", () => {
  const edits = readSteps(PAGE).flatMap((step) => (step.kind === "edit" ? [step.edit] : []));
  expect(edits.length).toBeGreaterThan(5);
  const wrong = edits.flatMap(({ file, hunks }) => {
    const text = readFileSync(file, "utf8");
    return hunks.filter(({ after }) => text.split(after).length !== 2).map(({ after }) => ({ file, after }));
  });
  expect(wrong).toEqual([]);
});

test("every line that docs/change-the-contract.md changes exists", () => {
  const texts = new Map<string, string>();
  for (const step of readSteps(readFileSync("docs/change-the-contract.md", "utf8"))) {
    if (step.kind !== "edit") continue;
    const { file } = step.edit;
    texts.set(file, applyEdit(step.edit, texts.get(file) ?? readFileSync(file, "utf8")));
  }
  expect(texts.size).toBeGreaterThan(10);
});

test("docs/add-an-operation.md names every server file that the operation needs", () => {
  const found = execSync("git grep -l takeScreenshot -- server/src ':!*.test.ts'").toString().trim().split("\n");
  expect(found.filter((file) => !PAGE.includes(file))).toEqual([]);
});
