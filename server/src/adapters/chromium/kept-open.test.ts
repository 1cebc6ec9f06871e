import { test } from "vitest";
import { openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import { expectKeptOpen } from "../../../test/support/browsers/kept-open.ts";

test.each([true, false])(
  "a browser stays open without pages, and printing returns; headless: %s",
  async (isHeadless) => {
    await using rig = await openBrowserRig("sandbox");
    await expectKeptOpen(rig, { isHeadless });
    await rig.expectNothingHeld();
  },
);
