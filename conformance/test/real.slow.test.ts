import { expect, test } from "vitest";
import { migratePostgres } from "../../server/test/interface.ts";
import { startPostgres } from "../../server/test/support/postgres.ts";
import { TEST_KEY } from "../../server/test/support/stores.ts";
import { argumentsFor } from "./support/arguments.ts";
import { startRealDeployment } from "./support/real-deployment.ts";
import { runCommand } from "./support/run-command.ts";

async function expectConformant(settings: Record<string, string>): Promise<void> {
  await using deployment = await startRealDeployment(settings);
  const { code, stdout } = await runCommand([...argumentsFor(deployment), "--profile", "full"]);
  expect(stdout).toMatch(/^CONFORMANT/m);
  expect({ code, stdout }).toMatchObject({ code: 0 });
}

test("the reference server with real browsers is conformant", () => expectConformant({}));

test("the reference server is conformant on PostgreSQL, too", async () => {
  await using postgres = await startPostgres();
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  await expectConformant({ RBS_DATABASE_URL: url, RBS_SECRET_KEY: TEST_KEY });
});
