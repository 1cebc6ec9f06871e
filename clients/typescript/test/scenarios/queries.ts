import { expect, expectTypeOf } from "vitest";
import { z } from "zod";
import { InvalidAnswerError } from "../../src/index.ts";
import type { Play } from "./scene.ts";

const HTML = "<h1>Kettle</h1><p>39.90 €</p>";

export const Product = z.object({ product: z.string(), price: z.number() });

export const queryText: Play = async (scene) => {
  const text = await scene.client().query(HTML, "Is the shop open on Sundays?");
  expectTypeOf(text).toEqualTypeOf<string>();
  expect(text).toBe("No, the shop is only open from Monday to Friday.");
};

export const queryJson: Play = async (scene) => {
  const value = await scene.client().query(HTML, "What does each fruit cost?", "json");
  expect(value).toStrictEqual([
    { product: "Apples", price: 2.4 },
    { product: "Pears", price: 3.1 },
  ]);
};

export const queryTyped: Play = async (scene) => {
  const product = await scene.client().query(HTML, "What is sold, and for how much?", Product);
  expectTypeOf(product).toEqualTypeOf<{ product: string; price: number }>();
  expect(product).toStrictEqual({ product: "Kettle", price: 39.9 });
};

export const queryNumber: Play = async (scene) => {
  expect(await scene.client().query(HTML, "What does it cost?", z.number())).toBe(39.9);
  expect(await scene.client().query(HTML, "What does it cost?", { type: "number" })).toBe(39.9);
};

export const queryMisfit: Play = async (scene) => {
  const { url } = scene.fault("misfit");
  const querying = scene.client({ url }).query(HTML, "What is sold, and for how much?", Product);
  await expect(querying).rejects.toBeInstanceOf(InvalidAnswerError);
};

export const queryNoValue: Play = async (scene) => {
  const client = scene.client({ url: scene.fault("no-value").url });
  const prompt = "What is sold, and for how much?";
  await expect(client.query(HTML, prompt, Product)).rejects.toBeInstanceOf(InvalidAnswerError);
  await expect(client.query(HTML, prompt, { type: "object" })).rejects.toBeInstanceOf(InvalidAnswerError);
  await expect(client.query(HTML, prompt, "json")).rejects.toBeInstanceOf(InvalidAnswerError);
};
