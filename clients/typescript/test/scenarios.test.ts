import { appendFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { playOf } from "./scenarios/registry.ts";
import { closeOwn, openScene } from "./scenarios/scene.ts";
import { type Scenario, type Stage, readStageFile } from "./scenarios/stage.ts";

/** Path of the file with the stages and the scenarios that the clients in all languages share. */
const path = process.env["RBS_STAGE"];
const { stages, report, scenarios } =
  path === undefined ? { stages: [], report: "", scenarios: [] } : readStageFile(path);

test("the stage file contains at least one stage", ({ skip }) => {
  skip(path === undefined, "RBS_STAGE is not set. To run these tests, use `npm run clients`");
  expect(stages).not.toStrictEqual([]);
});

describe.each(stages)("on $name", (stage) => {
  const here = scenarios.filter(({ on }) => on.includes(stage.name));

  afterEach(({ task }) => {
    const outcome = task.result?.state === "fail" ? "failed" : "passed";
    const line = { language: "typescript", stage: stage.name, id: task.name.split(":")[0], outcome };
    appendFileSync(report, `${JSON.stringify(line)}\n`);
  });

  test.each(here)("$id: $title", async (scenario) => {
    await expectAsTold(scenario, stage);
  });
});

async function expectAsTold(scenario: Scenario, stage: Stage): Promise<void> {
  const scene = openScene(scenario, stage, scenarios);
  try {
    await playOf(scenario.id, scenario.error !== undefined)(scene);
  } finally {
    if (scene.hasState) await closeOwn(scene);
  }
}
