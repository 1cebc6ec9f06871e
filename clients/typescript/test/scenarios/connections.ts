import { createServer } from "node:net";
import { expect } from "vitest";
import { BrowserUnavailableError, ConnectionError, TimeoutError } from "../../src/index.ts";
import { rejection } from "./refusals.ts";
import type { Play } from "./scene.ts";

export const refused: Play = async (scene) => {
  const port = await freePort();
  const client = scene.client({ url: `http://127.0.0.1:${port}`, retries: 0 });
  const error = await rejection(client.list());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error.message).toContain(`127.0.0.1:${port}`);
};

export const lateAnswer: Play = async (scene) => {
  const fault = scene.fault("silent");
  const error = await rejection(scene.client({ url: fault.url, timeoutMs: 300, retries: 0 }).open({ headless: true }));
  expect(error).toBeInstanceOf(TimeoutError);
  expect(await fault.log()).toHaveLength(1);
};

export const lateBody: Play = async (scene) => {
  const error = await rejection(scene.client({ url: scene.fault("half").url, timeoutMs: 300, retries: 0 }).list());
  expect(error).toBeInstanceOf(TimeoutError);
};

export const total: Play = async (scene) => {
  const busy = scene.fault("busy-long");
  const error = await rejection(scene.client({ url: busy.url }).open({ headless: true }));
  expect(error).toBeInstanceOf(BrowserUnavailableError);
  expect(await busy.log()).toHaveLength(1);

  const silent = scene.fault("silent");
  const late = await rejection(scene.client({ url: silent.url, totalTimeoutMs: 500, retries: 2 }).list());
  expect(late).toBeInstanceOf(TimeoutError);
};

/** Returns a port that refuses connections. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
