import { expect } from "vitest";
import type { BrowserRecord } from "../../src/index.ts";
import { type Play, type Scene, listOwn } from "./scene.ts";

const ID = /^br_[a-z0-9]{26}$/;

export const tags: Play = async (scene) => {
  const given = { label: scene.label, tags: ["nightly", "übung"], lifetime: 3600 };
  await using browser = await scene.client().open({ headless: true, ...given });
  expect(browser.id).toMatch(ID);
  if (!scene.hasState) return;
  const [session] = await listOwn(scene);
  expect(session).toMatchObject({ id: browser.id, tags: given.tags, headless: true, clients: 0, desktop: false });
};

export const info: Play = async (scene) => {
  const client = scene.client();
  const browser = await client.open({ headless: true, label: scene.label });
  const open = await browser.info();
  expect(open).toMatchObject({ state: "open", reason: null, endedOn: null, startedOn: expect.any(Date) });
  expect(open.units).toBeGreaterThan(0);
  await browser.close();
  if (!scene.hasState) return;
  expect(open).toMatchObject({ id: browser.id, address: browser.address, label: scene.label });
  const ended = await client.browser({ id: open.id }).info();
  expect(ended).toMatchObject({ state: "closed", reason: "requested", address: null, units: open.units });
  expect(ended.endedOn).toBeInstanceOf(Date);
};

export const closed: Play = async (scene) => {
  const browser = await scene.client().open({ headless: true, keepOpen: 1, label: scene.label });
  expect(await browser.closed({ timeoutMs: 30_000 })).toBe("inactive");
};

export const update: Play = async (scene) => {
  await using browser = await scene.client().open({ headless: true, label: scene.label, tags: ["old"] });
  const changed = await browser.update({ keepOpen: 600, lifetime: 7200, tags: ["new", "newer"] });
  expect(changed.state).toBe("open");
  if (!scene.hasState) return;
  expect(changed).toMatchObject({ keepOpen: 600, label: scene.label, tags: ["new", "newer"] });
  expect(await listOwn(scene)).toMatchObject([{ keepOpen: 600, tags: ["new", "newer"] }]);
};

export const history: Play = async (scene) => {
  const client = scene.client();
  const first = await client.open({ headless: true, label: scene.label });
  await first.close();
  await using second = await client.open({ headless: true, label: scene.label });
  const found = await readHistory(scene);
  expect(found.map(({ state }) => state)).toStrictEqual(["open", "closed"]);
  if (scene.hasState) expect(found.map(({ id }) => id)).toStrictEqual([second.id, first.id]);
};

async function readHistory({ client, label }: Scene): Promise<BrowserRecord[]> {
  const since = new Date(Date.now() - 60 * 60 * 1000);
  const found: BrowserRecord[] = [];
  for await (const record of client().history({ since, label })) found.push(record);
  return found;
}

export const closeAll: Play = async (scene) => {
  const client = scene.client();
  const tag = scene.label;
  await client.open({ headless: true, label: scene.label, tags: [tag] });
  await client.open({ headless: true, label: scene.label });
  const byTag = await client.closeAll({ tag });
  const byLabel = await client.closeAll({ label: scene.label });
  if (!scene.hasState) return;
  expect([byTag, byLabel]).toStrictEqual([1, 1]);
  expect(await listOwn(scene)).toStrictEqual([]);
};

export const account: Play = async (scene) => {
  const shown = await scene.client().account();
  expect(shown.period).toMatch(/^\d{4}-\d{2}$/);
  expect(shown.unitsUsed).toBeGreaterThanOrEqual(0);
  if (scene.hasState) expect(shown.plan).toBe("self-hosted");
};

export const sessionMethods: Play = async (scene) => {
  await scene.client().open({ headless: true, label: scene.label });
  const [session] = await listOwn(scene);
  expect(await session?.info()).toMatchObject({ id: session?.id, state: "open" });
  await session?.close();
  expect(await session?.closed()).toBe("requested");
  expect(await listOwn(scene)).toStrictEqual([]);
};
