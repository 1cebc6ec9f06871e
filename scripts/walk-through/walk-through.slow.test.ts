import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { whyMissing } from "../toolchains/why-missing.ts";
import { copyWorkspace } from "./copy-workspace.ts";
import { readSteps } from "./read-steps.ts";
import { takeStep } from "./take-step.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const missing = (["java", "maven", "python", "go"] as const).flatMap((each) => whyMissing(each, ROOT) ?? []);
const here = missing.length === 0 ? "" : ` (${missing.join(", ")})`;

test.skipIf(missing.length > 0)(`docs/change-the-contract.md works as it is written${here}`, () => {
  using copy = copyWorkspace(ROOT);
  const page = readFileSync(`${ROOT}/docs/change-the-contract.md`, "utf8");
  const steps = readSteps(page);
  expect(steps.length).toBeGreaterThan(20);
  for (const step of steps) takeStep(step, copy.folder);
});
