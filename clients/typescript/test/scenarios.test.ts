import { appendFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { playOf } from "./scenarios/registry.ts";
import { closeOwn, openScene } from "./scenarios/scene.ts";
import { type Scenario, type Stage, readStageFile } from "./scenarios/stage.ts";

/** The scenarios that the clients of all languages share, on each stage in the file that RBS_STAGE names. */
const path = process.env["RBS_STAGE"];
const { stages, report, scenarios } =
  path === undefined ? { stages: [], report: "", scenarios: [] } : readStageFile(path);

test("there are stages to run on", ({ skip }) => {
  skip(path === undefined, "RBS_STAGE is not set: `npm run clients` runs these");
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
