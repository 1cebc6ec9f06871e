import { expect, test } from "vitest";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { commandLine } from "../support/machine/processes.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { startServer } from "../support/servers/real-server.ts";

/** Time after which the server ends a browser that doesn't respond. */
const HUNG_MS = 30_000;
/** Chromium takes a minute to read a command of this length, because the time grows quadratically with the length. */
const LONG_BYTES = 45e6;

test("a browser that stops responding is ended as hung, and a healthy browser stays open", async () => {
  await using server = await startServer();
  const client = await connectDevtools(await server.open({ KeepOpen: 300 }));
  const chromium = server
    .processes()
    .find((one) => /^\/usr\/lib\/chromium\/chromium (?!.*--type=)/.test(commandLine(one)));
  const healthy = await server.open({ KeepOpen: 300 });
  process.kill(chromium?.pid ?? 0, "SIGSTOP");
  client.command("Browser.getVersion").catch(() => {});
  expect(await client.closed).toEqual({ code: 1011, reason: "browser closed: hung" });
  expect(await server.addresses()).toEqual([healthy]);
  await server.close(healthy);
  await expectNothingHeld(server);
});

test("a browser stays open while it reads a command for longer than the response time limit", async () => {
  await using server = await startServer();
  const address = await server.open({ KeepOpen: 300 });
  const client = await connectDevtools(address);
  const startedMs = performance.now();
  expect(await client.command("Browser.getVersion", { unknown: "x".repeat(LONG_BYTES) })).toHaveProperty("product");
  expect(performance.now() - startedMs).toBeGreaterThan(HUNG_MS);
  await server.close(address);
  await expectNothingHeld(server);
});
