import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { NEVER, STEALTHY } from "../../../test/support/real-host.ts";
import { FakeHost } from "./fake-host.ts";

test.each([true, false])("a fake has a thumbnail as long as it runs: headless %s", async (isHeadless) => {
  await using host = new FakeHost();
  const browser = await host.open({ ...STEALTHY, id: "a", isHeadless }, NEVER);
  const { type, bytes } = await browser.takeThumbnail(NEVER);
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  expect([type, width, height, ...data.subarray(0, 4)]).toEqual(["image/png", 320, 180, 38, 94, 136, 255]);
  await expect(browser.takeThumbnail(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  await browser[Symbol.asyncDispose]();
  await expect(browser.takeThumbnail(NEVER)).rejects.toThrow("The browser has ended.");
});
