import { expect, test } from "vitest";
import { argumentsFor } from "./support/arguments.ts";
import { startRealDeployment } from "./support/real-deployment.ts";
import { runCommand } from "./support/run-command.ts";

test("the reference server with real browsers is conformant", async () => {
  await using deployment = await startRealDeployment();
  const { code, stdout } = await runCommand([...argumentsFor(deployment), "--profile", "full"]);
  expect(stdout).toMatch(/^CONFORMANT/m);
  expect({ code, stdout }).toMatchObject({ code: 0 });
});
