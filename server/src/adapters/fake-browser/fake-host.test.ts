import { PNG } from "pngjs";
import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { NEVER, STEALTHY } from "../../../test/support/browsers/real-host.ts";
import { FakeHost } from "./fake-host.ts";

test.each([true, false])("a fake browser has a thumbnail while it is running (headless: %s)", async (isHeadless) => {
  await using host = new FakeHost();
  const browser = await host.launch({ ...STEALTHY, id: "a", isHeadless }, NEVER);
  const { type, bytes } = await browser.takeThumbnail(NEVER);
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  expect([type, width, height, ...data.subarray(0, 4)]).toEqual(["image/png", 320, 180, 38, 94, 136, 255]);
  await expect(browser.takeThumbnail(AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  await browser[Symbol.asyncDispose]();
  await expect(browser.takeThumbnail(NEVER)).rejects.toThrow("The browser has ended.");
});

test("a start takes a random time with a configured average, and can be cancelled", async () => {
  await using host = new FakeHost(undefined, 20_000);
  const opening = host.launch({ ...STEALTHY, id: "slow" }, AbortSignal.timeout(10));
  await expect(opening).rejects.toThrow("The operation was aborted due to timeout");
  expect(host.running).toBe(0);
});

test("Browser.crash crashes a fake browser without a response", async () => {
  await using host = new FakeHost();
  const browser = await host.launch({ ...STEALTHY, id: "a" }, NEVER);
  const connected = await browser.connect(NEVER);
  const socket = new WebSocket(`ws://fake${browser.devtoolsPath}`, { createConnection: () => connected });
  await once(socket, "open");
  socket.send(JSON.stringify({ id: 1, method: "Browser.getVersion" }));
  const [version] = (await once(socket, "message")) as [Buffer];
  expect(JSON.parse(version.toString())).toMatchObject({ id: 1 });
  let answers = 0;
  socket.on("message", () => (answers += 1));
  socket.send(JSON.stringify({ id: 2, method: "Browser.crash" }));
  expect(await browser.gone).toBe("crashed");
  await browser[Symbol.asyncDispose]();
  await once(socket, "close");
  expect(answers).toBe(0);
});
