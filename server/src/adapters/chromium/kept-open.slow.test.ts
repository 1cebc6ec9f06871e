import { test } from "vitest";
import { openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import { expectKeptOpen } from "../../../test/support/browsers/kept-open.ts";
import { ISOLATIONS } from "../../../test/support/browsers/real-host.ts";

test.each([
  ["headless", {}],
  ["headless and not stealthy", { isStealthy: false }],
  ["graphical", { isHeadless: false }],
  ["graphical and not stealthy", { isHeadless: false, isStealthy: false }],
  ["headless shell", { kind: "chrome-headless-shell" }],
] as const)("a browser that is %s stays open without pages, and window.print() returns", async (_, wanted) => {
  for (const isolation of ISOLATIONS) {
    await using rig = await openBrowserRig(isolation);
    await expectKeptOpen(rig, wanted);
    await rig.expectNothingHeld();
  }
});
