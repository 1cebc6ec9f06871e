import { expect, test } from "vitest";
import { startFaultyServer } from "../proof/faulty-server.ts";
import { argumentsFor } from "./support/arguments.ts";
import { runCommand } from "./support/run-command.ts";

test("two concurrent runs with the same accounts do not interfere", async () => {
  await using server = await startFaultyServer();
  const run = () => runCommand([...argumentsFor(server), "--profile", "full", "--schemathesis", "off", "--partial"]);
  const both = await Promise.all([run(), run()]);
  for (const { code, stdout } of both) {
    expect(stdout).not.toMatch(/^(FAIL|WARN|INCONCLUSIVE) /m);
    expect({ code, stdout }).toMatchObject({ code: 0 });
  }
});
