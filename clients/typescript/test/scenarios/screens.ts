import { expect } from "vitest";
import {
  BadRequestError,
  BrowserLimitError,
  BrowserNotFoundError,
  type OpenOptions,
  type Screenshot,
} from "../../src/index.ts";
import { rejection, tokenOf } from "./refusals.ts";
import { type Play, listOwn } from "./scene.ts";

export const screen: Play = async (scene) => {
  const valid = {
    waitForPlace: 5,
    screen: { width: 800, height: 600, scale: 1.5 },
    language: "de-DE",
    timeZone: "Europe/Berlin",
  };
  const open = async (options: OpenOptions) => scene.client().open({ headless: true, label: scene.label, ...options });
  await using browser = await open(valid);
  expect(browser.address).toMatch(/^wss?:\/\//);
  const refused: readonly [OpenOptions, string][] = [
    [{ waitForPlace: 46 }, "/WaitForPlace"],
    [{ screen: { width: 199, height: 600 } }, "/Screen/Width"],
    [{ screen: { width: 800, height: 600, scale: 4 } }, "/Screen/Scale"],
    [{ language: "" }, "/Language"],
    [{ timeZone: "" }, "/TimeZone"],
  ];
  for (const [options, path] of refused) {
    const error = await rejection(open({ ...valid, ...options }));
    expect(error).toBeInstanceOf(BadRequestError);
    if (scene.hasState) expect((error as BadRequestError).errors).toMatchObject([{ path }]);
  }
};

export const waitForPlace: Play = async (scene) => {
  const client = scene.client({ token: tokenOf(scene, "limited"), retries: 0 });
  const options = { headless: true, label: scene.label };
  await using first = await client.open({ ...options, keepOpen: 2 });
  expect(await rejection(client.open({ ...options, waitForPlace: 0.1 }))).toBeInstanceOf(BrowserLimitError);
  await using second = await client.open({ ...options, waitForPlace: 30 });
  expect((await client.list()).map(({ address }) => address)).toStrictEqual([second.address]);
  expect(second.address).not.toBe(first.address);
};

export const screenshot: Play = async (scene) => {
  for (const headless of [true, false]) {
    await using browser = await scene.client().open({ headless, label: scene.label });
    expectPicture(await browser.screenshot());
    const image = await browser.screenshotImage();
    expect(Object.values(SIGNATURES).some((bytes) => bytes.every((byte, at) => image[at] === byte))).toBe(true);
    if (!scene.hasState) continue;
    const [session] = await listOwn(scene);
    expect(session?.address).toBe(browser.address);
    if (session !== undefined) expectPicture(await session.screenshot());
    await browser.close();
    expect(await rejection(browser.screenshot())).toBeInstanceOf(BrowserNotFoundError);
  }
};

/** The first bytes of each image file type. */
const SIGNATURES: Readonly<Record<string, readonly number[]>> = {
  "image/png": [0x89, 0x50, 0x4e, 0x47],
  "image/jpeg": [0xff, 0xd8, 0xff],
};

function expectPicture({ type, image }: Screenshot): void {
  const signature = SIGNATURES[type] ?? [];
  expect(signature).not.toStrictEqual([]);
  expect([...image.subarray(0, signature.length)]).toStrictEqual(signature);
}
