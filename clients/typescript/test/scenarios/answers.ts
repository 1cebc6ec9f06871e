import { expect } from "vitest";
import { ApiError, BrowserNotFoundError, InvalidAnswerError, NotFoundError } from "../../src/index.ts";
import { rejection, unknownAddress } from "./refusals.ts";
import { type Play, listOwn } from "./scene.ts";

export const newError: Play = async (scene) => {
  const error = await rejection(scene.client({ url: scene.fault("new-error").url }).list());
  expect(error.constructor).toBe(ApiError);
  expect(error).toMatchObject({ name: "SomethingNew", status: 409 });
  expect(error.message).toContain("SomethingNew");
};

export const thinError: Play = async (scene) => {
  const client = scene.client({ url: scene.fault("thin-error").url });
  const browser = client.browser(unknownAddress(scene.stage.url));
  const error = await rejection(browser.startDesktop());
  expect(error).toBeInstanceOf(BrowserNotFoundError);
  expect(error).toMatchObject({ status: 404, requestId: "thin-1" });
  expect(error.message).toBe("(BrowserNotFound, HTTP 404, request thin-1)");
  await browser.close();
};

export const notOurs: Play = async (scene) => {
  const error = await rejection(scene.client({ url: scene.fault("gateway").url, retries: 0 }).list());
  expect(error.constructor).toBe(ApiError);
  expect(error).toMatchObject({ name: "", status: 502 });
  expect(error.message).toMatch(/<html/i);
};

export const notJson: Play = async (scene) => {
  const error = await rejection(scene.client({ url: scene.fault("not-json").url }).list());
  expect(error).toBeInstanceOf(InvalidAnswerError);
};

export const newMembers: Play = async (scene) => {
  const { url } = scene.fault("new-members");
  await using browser = await scene.client({ url }).open({ headless: true, label: scene.label });
  const sessions = await scene.client({ url }).list();
  for (const session of sessions) expect(Object.keys(session)).not.toContain("newMember");
  const record = await browser.info();
  expect(Object.keys(record)).not.toContain("newMember");
  expect((await scene.client({ url }).history().next()).value).toBeDefined();
  expect(Object.keys(await scene.client({ url }).account())).not.toContain("newMember");
  if (!scene.hasState) return;
  expect(sessions).toContainEqual((await listOwn(scene))[0]);
  expect(sessions.map(({ address }) => address)).toContain(browser.address);
};

export const firstVersion: Play = async (scene) => {
  const client = scene.client({ url: scene.fault("first-version").url });
  await using browser = await client.open({ headless: true, label: scene.label, tags: ["new"] });
  expect(browser.id).toBeUndefined();
  for (const session of await client.list()) {
    expect(Object.keys(session).toSorted()).toStrictEqual(["address", "label", "startedOn", "vncpass"]);
  }
  const calls = [
    async () => browser.info(),
    async () => browser.closed(),
    async () => browser.screenshot(),
    async () => browser.update({ keepOpen: 60 }),
    async () => client.history().next(),
    async () => client.closeAll({ label: scene.label }),
    async () => client.account(),
  ];
  for (const call of calls) expect(await rejection(call())).toBeInstanceOf(NotFoundError);
};
