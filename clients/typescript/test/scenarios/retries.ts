import { expect } from "vitest";
import {
  BadRequestError,
  BrowserUnavailableError,
  ConnectionError,
  IdempotencyKeyReusedError,
} from "../../src/index.ts";
import { rejection } from "./refusals.ts";
import { type Fault, type Play, type Scene, closeOwn, listOwn } from "./scene.ts";

export const whenTold: Play = async (scene) => {
  const fault = scene.fault("busy-once");
  await using _browser = await scene.client({ url: fault.url }).open({ headless: true, label: scene.label });
  expect(await operationsOf(fault)).toStrictEqual(["openBrowser", "openBrowser"]);
};

export const rate: Play = async (scene) => {
  const fault = scene.fault("limited-once");
  expect(await scene.client({ url: fault.url }).list()).toBeInstanceOf(Array);
  expect(await operationsOf(fault)).toStrictEqual(["getBrowsers", "getBrowsers"]);
};

export const bounded: Play = async (scene) => {
  const fault = scene.fault("busy-always");
  const error = await rejection(scene.client({ url: fault.url, retries: 1 }).open({ headless: true }));
  expect(error).toBeInstanceOf(BrowserUnavailableError);
  expect(error).toMatchObject({ retryAfter: 1 });
  expect(await operationsOf(fault)).toStrictEqual(["openBrowser", "openBrowser"]);
};

export const notInstalled: Play = async (scene) => {
  const fault = scene.fault("not-installed");
  const error = await rejection(scene.client({ url: fault.url }).open({ headless: true }));
  expect(error).toBeInstanceOf(BrowserUnavailableError);
  expect(error).toMatchObject({ retryAfter: null });
  expect(await operationsOf(fault)).toStrictEqual(["openBrowser"]);
  if (scene.stage.name === "real" && lacksChrome(scene)) await chromeNotInstalled(scene);
};

/** Whether Chrome is missing on this machine. The server rejects only kinds that aren't installed. */
function lacksChrome({ scenarios }: Scene): boolean {
  return scenarios.find(({ id }) => id === "error.BrowserUnavailable")?.error?.provoke.real === "missing-kind";
}

async function chromeNotInstalled(scene: Scene): Promise<void> {
  const passed = scene.fault("pass");
  const client = scene.client({ url: passed.url });
  const error = await rejection(client.open({ headless: true, browser: "Chrome", label: scene.label }));
  expect(error).toBeInstanceOf(BrowserUnavailableError);
  expect(error).toMatchObject({ retryAfter: null });
  expect(await operationsOf(passed)).toStrictEqual(["openBrowser"]);
}

export const openAgain: Play = async (scene) => {
  const fault = scene.fault("cut-after");
  await using browser = await scene.client({ url: fault.url }).open({ headless: true, label: scene.label });
  expect(await operationsOf(fault)).toStrictEqual(["openBrowser", "getAccount", "openBrowser"]);
  if (!scene.hasState) return;
  expect((await listOwn(scene)).map(({ address }) => address)).toStrictEqual([browser.address]);
};

export const openKey: Play = async (scene) => {
  const [options, call] = [
    { headless: true, label: scene.label },
    { idempotencyKey: scene.label.replaceAll(" ", "-") },
  ];
  await using browser = await scene.client().open(options, call);
  const again = await scene.client().open(options, call);
  expect(again.address).toBe(browser.address);
  expect(await listOwn(scene)).toHaveLength(1);
  const error = await rejection(scene.client().open({ ...options, headless: false }, call));
  expect(error).toBeInstanceOf(IdempotencyKeyReusedError);
  const empty = await rejection(scene.client().open(options, { idempotencyKey: "" }));
  expect(empty).toBeInstanceOf(BadRequestError);
};

export const openOnce: Play = async (scene) => {
  const fault = scene.fault("first-version-cut-after");
  const error = await rejection(scene.client({ url: fault.url }).open({ headless: true, label: scene.label }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(await operationsOf(fault)).toStrictEqual(["openBrowser", "getAccount"]);
  await closeOwn(scene);
};

export const queryOnce: Play = async (scene) => {
  const fault = scene.fault("cut-after");
  const error = await rejection(scene.client({ url: fault.url }).query("<p>1</p>", "What is it?"));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(await operationsOf(fault)).toStrictEqual(["queryAi"]);
};

export const listAgain: Play = async (scene) => {
  const fault = scene.fault("cut-after");
  expect(await scene.client({ url: fault.url }).list()).toBeInstanceOf(Array);
  expect(await operationsOf(fault)).toStrictEqual(["getBrowsers", "getBrowsers"]);
};

export const updateAgain: Play = async (scene) => {
  const fault = scene.fault("cut-after");
  await using opened = await scene.client().open({ headless: true, label: scene.label });
  const { state } = await scene.client({ url: fault.url }).browser(opened.address).update({ keepOpen: 60 });
  expect(state).toBe("open");
  expect(await operationsOf(fault)).toStrictEqual(["updateBrowser", "updateBrowser"]);
};

export const closeAgain: Play = async (scene) => {
  const fault = scene.fault("cut-after");
  const { address } = await scene.client().open({ headless: true, label: scene.label });
  await scene.client({ url: fault.url }).browser(address).close();
  expect(await operationsOf(fault)).toStrictEqual(["closeBrowser", "closeBrowser"]);
  expect(await listOwn(scene)).toStrictEqual([]);
};

async function operationsOf(fault: Fault): Promise<string[]> {
  return (await fault.log()).map(({ operation }) => operation);
}
