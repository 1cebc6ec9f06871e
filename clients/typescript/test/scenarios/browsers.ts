import { expect, vi } from "vitest";
import { type Play, listOwn } from "./scene.ts";

export const lifecycle: Play = async (scene) => {
  const browser = await scene.client().open({ headless: true, label: scene.label });
  expect(browser.address).toMatch(/^wss?:\/\//);
  const [session, ...others] = await listOwn(scene);
  expect(others).toStrictEqual([]);
  expect(session).toMatchObject({
    address: browser.address,
    label: scene.label,
    startedOn: expect.any(Date),
    vncpass: null,
  });
  await browser.close();
  expect(await listOwn(scene)).toStrictEqual([]);
};

export const closeEnded: Play = async (scene) => {
  const browser = await scene.client().open({ headless: true, label: scene.label });
  const other = scene.client().browser(browser.address);
  await browser.close();
  await other.close();
  await browser.close();
  expect(await listOwn(scene)).toStrictEqual([]);
};

export const closesItself: Play = async (scene) => {
  {
    await using browser = await scene.client().open({ headless: true, label: scene.label });
    expect((await listOwn(scene)).map(({ address }) => address)).toStrictEqual([browser.address]);
  }
  expect(await listOwn(scene)).toStrictEqual([]);
};

export const options: Play = async (scene) => {
  await using browser = await scene.client().open({
    headless: true,
    stealth: false,
    keepOpen: 60,
    label: scene.label,
    args: ["--lang=de-DE"],
    browser: "ChromeHeadlessShell",
  });
  expect(browser.address).toMatch(/^wss?:\/\//);
  if (!scene.hasState) return;
  expect(await listOwn(scene)).toMatchObject([{ label: scene.label, address: browser.address }]);
};

export const keepOpen: Play = async (scene) => {
  await scene.client().open({ headless: true, keepOpen: 1, label: scene.label });
  await vi.waitFor(async () => expect(await listOwn(scene)).toStrictEqual([]), { timeout: 15_000, interval: 250 });
};

export const attach: Play = async (scene) => {
  await scene.client().open({ headless: true, label: scene.label });
  const [session] = await listOwn(scene);
  expect(session).toBeDefined();
  await scene
    .client()
    .browser(session?.address ?? "")
    .close();
  expect(await listOwn(scene)).toStrictEqual([]);
};

export const desktop: Play = async (scene) => {
  await using browser = await scene.client().open({ headless: false, label: scene.label });
  const started = await browser.startDesktop();
  expect(started.password).toHaveLength(8);
  expect(started.viewPassword).toHaveLength(8);
  expect(started.url).toMatch(/^https?:\/\//);
  expect(started.rfbUrl).toMatch(/^wss?:\/\//);
  if (scene.hasState) {
    expect(await browser.startDesktop()).toStrictEqual(started);
    expect(await listOwn(scene)).toMatchObject([{ vncpass: started.password }]);
  }
  await browser.stopDesktop();
  if (scene.hasState) expect(await listOwn(scene)).toMatchObject([{ vncpass: null }]);
};
