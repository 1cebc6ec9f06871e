import { expect, test } from "vitest";
import { connectDevtools } from "./support/devtools-client.ts";
import { commandLine } from "./support/processes.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { startServer } from "./support/real-server.ts";

test("a browser that stops answering is ended as hung, and a healthy one stays open", async () => {
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
