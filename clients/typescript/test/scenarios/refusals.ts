import { expect } from "vitest";
import * as face from "../../src/index.ts";
import { ApiError, type BadRequestError, type RemoteBrowserClient } from "../../src/index.ts";
import { Product } from "./queries.ts";
import { type Play, type Scene, closeOwn } from "./scene.ts";

/** Triggers an error as the scenario table describes for this stage, and checks the error. */
export const refusal: Play = async (scene) => {
  const expected = scene.scenario.error;
  if (expected === undefined) throw new Error(`${scene.scenario.id} describes no error.`);
  const error = await rejection(provoke(scene, expected.provoke[scene.stage.name]));
  await closeOwn(scene);
  const Class = (face as Readonly<Record<string, unknown>>)[expected.class] as typeof ApiError;
  expect(error).toBeInstanceOf(ApiError);
  expect(error.constructor).toBe(Class);
  const { status, name, message, requestId } = error as ApiError;
  expect({ status, name }).toStrictEqual({ status: expected.status, name: expected.name });
  expect(requestId).not.toBe("");
  for (const part of [name, String(status), requestId]) expect(message).toContain(part);
  if (expected.name !== "BadRequest") return;
  const { errors } = error as BadRequestError;
  expect(errors).not.toStrictEqual([]);
  for (const { path, message: why } of errors) expect([typeof path, why !== ""]).toStrictEqual(["string", true]);
};

async function provoke(scene: Scene, how: string): Promise<unknown> {
  const [way = "", key = ""] = how.split(":");
  const { stage, label } = scene;
  const open = async (client: RemoteBrowserClient) => client.open({ headless: true, label });
  switch (way) {
    case "answer": {
      const { url } = scene.fault(`answer-${scene.scenario.error?.name}`);
      return operate(scene, scene.client({ url, retries: 0 }));
    }
    case "token":
      return open(scene.client({ token: tokenOf(scene, key) }));
    case "wrong-token":
      return scene.client({ token: "rbs_wrong" }).list();
    case "arguments":
      return scene.client().open({ args: ["--remote-debugging-port=1"], label });
    case "unknown-address":
      return scene.client().browser(unknownAddress(stage.url)).startDesktop();
    case "headless-desktop": {
      await using browser = await open(scene.client());
      return await browser.startDesktop();
    }
    case "large-label":
      return scene.client().open({ label: "x".repeat(70_000) });
    case "limit": {
      const client = scene.client({ token: tokenOf(scene, "limited"), retries: 0 });
      await using _first = await open(client);
      return await open(client);
    }
    case "wrong-path":
      return scene.client({ url: `${stage.url}/nowhere` }).list();
    case "hurried": {
      const client = scene.client({ token: tokenOf(scene, "hurried"), retries: 0 });
      for (let calls = 0; calls < 10; calls++) await client.list();
      return undefined;
    }
    case "missing-kind":
      return scene.client({ retries: 0 }).open({ headless: true, browser: "Chrome", label });
    case "prompt":
      return scene.client({ retries: 0 }).query("<p>x</p>", key, Product);
    default:
      throw new Error(`Unknown method of provoking an error: ${how}.`);
  }
}

async function operate(scene: Scene, client: RemoteBrowserClient): Promise<unknown> {
  const operation = scene.scenario.error?.operation ?? "open";
  switch (operation) {
    case "open":
      return client.open({ headless: true });
    case "query":
      return client.query("<p>1</p>", "What is it?");
    case "startDesktop":
      return client.browser(unknownAddress(scene.stage.url)).startDesktop();
    case "list":
      return client.list();
    default:
      throw new Error(`Unknown operation: ${operation}.`);
  }
}

/** Returns the error that a promise rejects with. @throws If the promise resolves. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome, "it was refused").toBeInstanceOf(Error);
  return outcome as Error;
}

/** Returns an address that doesn't belong to any browser. */
export function unknownAddress(url: string): string {
  return `${url.replace(/^http/, "ws")}/devtools/browser/${"A".repeat(32)}`;
}

/** Returns the token of a stage account whose requests the server rejects. */
export function tokenOf({ stage }: Scene, key: string): string {
  const token = stage.tokens[key];
  if (token === undefined) throw new Error(`The stage has no token ${key}.`);
  return token;
}
