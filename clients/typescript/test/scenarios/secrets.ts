import { inspect } from "node:util";
import { expect, vi } from "vitest";
import { RemoteBrowserClient } from "../../src/index.ts";
import { freePort } from "./connections.ts";
import { rejection } from "./refusals.ts";
import type { Play, Scene } from "./scene.ts";

export const environment: Play = async ({ stage }) => {
  vi.stubEnv("RBS_URL", stage.url);
  vi.stubEnv("RBS_TOKEN", stage.token);
  try {
    expect(await new RemoteBrowserClient().list()).toBeInstanceOf(Array);
  } finally {
    vi.unstubAllEnvs();
  }
};

export const noToken: Play = async ({ stage }) => {
  vi.stubEnv("RBS_TOKEN", undefined);
  try {
    expect(() => new RemoteBrowserClient({ url: stage.url })).toThrow(/RBS_TOKEN/);
  } finally {
    vi.unstubAllEnvs();
  }
};

export const secrets: Play = async (scene) => {
  const client = scene.client();
  await using browser = await client.open({ headless: false, label: scene.label });
  const desktop = await browser.startDesktop();
  const sessions = await client.list();
  if (scene.hasState) expect(sessions.map(({ address }) => address)).toContain(browser.address);
  const errors = await failuresOf(scene, browser.address);
  const hidden = [scene.stage.token, idOf(browser.address), desktop.password, desktop.viewPassword];
  const listed = sessions.flatMap(({ address, vncpass }) => [idOf(address), vncpass ?? []].flat());
  const forms = [
    ...[client, browser, desktop, sessions, ...sessions].flatMap(print),
    ...[client, browser].map((one) => JSON.stringify(one)),
    ...errors.flatMap((error) => [...print(error), JSON.stringify(error), String(error.stack)]),
  ];
  for (const secret of [...hidden, ...listed, idOf(desktop.rfbUrl.replace(/\/rfb$/, ""))]) {
    for (const form of forms) expect(form).not.toContain(secret);
  }
};

/** Returns every kind of error in which a server or library could quote the request. */
async function failuresOf(scene: Scene, address: string): Promise<Error[]> {
  const at = (fault: string) => scene.client({ url: scene.fault(fault).url, retries: 0 });
  const unreachable = scene.client({ url: `http://127.0.0.1:${await freePort()}`, retries: 0 });
  const echoes = [
    await rejection(at("echo-page").list()),
    await rejection(at("echo-page").browser(address).startDesktop()),
    await rejection(at("echo-error").browser(address).startDesktop()),
  ];
  for (const { message } of echoes) expect(message).toContain("Authorization: Bearer …");
  return [
    ...echoes,
    await rejection(unreachable.browser(address).startDesktop()),
    await rejection(at("answer-BrowserNotFound").browser(address).startDesktop()),
    await rejection(at("cut-after").browser(address).stopDesktop()),
    await rejection(at("gateway").list()),
    await rejection(at("not-json").open({ label: scene.label })),
  ];
}

function print(one: unknown): string[] {
  return [String(one), inspect(one), inspect(one, { depth: 9, showHidden: true, getters: false })];
}

function idOf(address: string): string {
  return /\/(?:browser|desktop)\/([^/?#]+)/.exec(address)?.[1] ?? address;
}
