import { once } from "node:events";
import { expect, test } from "vitest";
import { NEVER, STEALTHY } from "../../../test/support/browsers/real-host.ts";
import { RfbRefusal, openRfb } from "../../../test/support/desktop/rfb-client.ts";
import { FakeHost } from "./fake-host.ts";
import { FakeScreen } from "./fake-screen.ts";

const PASSWORDS = { full: "k7Rw2xQp", viewOnly: "m3Tz9bVc" };
const BLUE = "265e88";

test("a viewer with the full password sees the screen and can send input", async () => {
  await using screen = await FakeScreen.start();
  await screen.setPasswords(PASSWORDS);
  using viewer = await openRfb(await screen.connect(NEVER), PASSWORDS.full);
  viewer.type("typed");
  viewer.click(10, 10);
  viewer.setClipboard("cut");
  const picture = await viewer.capture();
  expect([viewer.name, picture.width, picture.height]).toEqual(["Fake browser", 320, 180]);
  expect([picture.at(0, 0), picture.at(160, 90), picture.at(319, 179)]).toEqual([BLUE, BLUE, BLUE]);
  viewer.resize(640, 480);
  expect(await viewer.resized).toBe(1);
});

test("a view-only viewer sees the same screen, and its input is ignored", async () => {
  await using screen = await FakeScreen.start();
  await screen.setPasswords(PASSWORDS);
  using viewer = await openRfb(await screen.connect(NEVER), PASSWORDS.viewOnly);
  viewer.resize(640, 480);
  const answered = viewer.resized.then(() => "heard");
  // The first request is answered with the screen size.
  void viewer.capture();
  const seen = viewer.capture().then((picture) => picture.at(0, 0));
  expect(await Promise.race([answered, seen])).toBe(BLUE);
});

test("only the current passwords are accepted, and no password is accepted before they are set", async () => {
  await using screen = await FakeScreen.start();
  const enter = async (password: string): Promise<unknown> => openRfb(await screen.connect(NEVER), password);
  await expect(enter(PASSWORDS.full)).rejects.toThrow(new RfbRefusal("Authentication failure"));
  await screen.setPasswords(PASSWORDS);
  await expect(enter("wrong")).rejects.toThrow(RfbRefusal);
  await screen.setPasswords({ full: "new12345", viewOnly: "new54321" });
  await expect(enter(PASSWORDS.full)).rejects.toThrow(RfbRefusal);
  await screen.setPasswords(undefined);
  await expect(enter("new12345")).rejects.toThrow(RfbRefusal);
});

test("invalid RFB data closes only its own connection", async () => {
  await using screen = await FakeScreen.start();
  await screen.setPasswords(PASSWORDS);
  using viewer = await openRfb(await screen.connect(NEVER), PASSWORDS.full);
  const garbage = await screen.connect(NEVER);
  garbage.resume().write("GET / HTTP/1.1\r\n\r\n");
  await once(garbage, "close");
  expect((await viewer.capture()).at(0, 0)).toBe(BLUE);
});

test("graphical fakes have a screen, which ends with the browser; headless ones don't", async () => {
  await using host = new FakeHost();
  await using headless = await host.launch({ ...STEALTHY, id: "a" }, NEVER);
  expect(headless.screen).toBeUndefined();
  const graphical = await host.launch({ ...STEALTHY, id: "b", isHeadless: false }, NEVER);
  await graphical.screen?.setPasswords(PASSWORDS);
  const socket = await graphical.screen?.connect(NEVER);
  if (socket === undefined) throw new Error("The browser has no screen.");
  using viewer = await openRfb(socket, PASSWORDS.full);
  await graphical[Symbol.asyncDispose]();
  await viewer.closed;
  await expect(graphical.screen?.connect(NEVER)).rejects.toThrow("This screen has closed.");
});
