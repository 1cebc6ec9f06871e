import { join } from "node:path";
import { expect, test } from "vitest";
import { openBrowserRig } from "../../../../test/support/browsers/browser-rig.ts";
import { openPage } from "../../../../test/support/browsers/devtools-client.ts";
import { CONNECT, EXTENSION, hasRun, plantProgram } from "../../../../test/support/browsers/planted.ts";
import { drive } from "../../../../test/support/browsers/real-host.ts";

test("an extension can be loaded, but can't start a program that its user has added to the sandbox", async () => {
  await using rig = await openBrowserRig("sandbox");
  await using browser = await rig.open({ switches: ["--enable-unsafe-extension-debugging"] });
  await using client = await drive(browser);
  const home = join(rig.traces.folder(browser.id), "home");
  plantProgram(home);
  expect(await client.command("Extensions.loadUnpacked", { path: EXTENSION.folder })).toEqual({ id: EXTENSION.id });
  const evaluate = await openPage(client, EXTENSION.page);
  expect(await evaluate(CONNECT)).toBe("Access to the native messaging host was disabled by the system administrator.");
  expect(hasRun(home)).toBe(false);
});
