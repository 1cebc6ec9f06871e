import { expect, test } from "vitest";
import { migratePostgres } from "../../server/test/interface.ts";
import { type Postgres, startPostgres } from "../../server/test/support/databases/postgres.ts";
import { TEST_KEY } from "../../server/test/support/databases/stores.ts";
import { argumentsFor } from "./support/arguments.ts";
import { type RealDeployment, startRealCluster, startRealDeployment } from "./support/real-deployment.ts";
import { runCommand } from "./support/run-command.ts";

async function expectConformant(deployment: RealDeployment): Promise<void> {
  const { code, stdout } = await runCommand([
    ...argumentsFor(deployment),
    "--profile",
    "full",
    "--site",
    "http://127.0.0.1:0",
  ]);
  expect(stdout).toMatch(/^CONFORMANT/m);
  expect({ code, stdout }).toMatchObject({ code: 0 });
}

async function newDatabase(postgres: Postgres): Promise<string> {
  const url = await postgres.createDatabase();
  await migratePostgres(url);
  return url;
}

test("the reference server with real browsers is conformant", async () => {
  await using deployment = await startRealDeployment();
  await expectConformant(deployment);
});

test("the reference server on PostgreSQL is conformant", async () => {
  await using postgres = await startPostgres();
  const settings = { RBS_DATABASE_URL: await newDatabase(postgres), RBS_SECRET_KEY: TEST_KEY };
  await using deployment = await startRealDeployment(settings);
  await expectConformant(deployment);
});

test.each(["relay", "nginx", "direct"] as const)(
  "front-ends and workers are conformant (client connections: %s)",
  async (way) => {
    await using postgres = await startPostgres({ max_connections: 60 });
    await using cluster = await startRealCluster(await newDatabase(postgres), way);
    await expectConformant(cluster);
  },
);
