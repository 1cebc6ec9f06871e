import { expect, test } from "vitest";
import { newUnsealCache } from "./unseal-cache.ts";

test("a text is unsealed once per owner, until other texts evict it", () => {
  const opened: string[] = [];
  const open = newUnsealCache({ unseal: (sealed, owner) => `text ${opened.push(`${sealed} of ${owner}`)}` }, 2);
  expect([open("a", "anna"), open("a", "anna"), open("a", "bert")]).toEqual(["text 1", "text 1", "text 2"]);
  expect([open("b", "anna"), open("a", "bert"), open("a", "anna")]).toEqual(["text 3", "text 2", "text 4"]);
  expect(opened).toEqual(["a of anna", "a of bert", "b of anna", "a of anna"]);
});

test("unsealing an invalid text fails every time", () => {
  const open = newUnsealCache({
    unseal: () => {
      throw new Error("It was changed.");
    },
  });
  for (let times = 0; times < 2; times += 1) expect(() => open("a", "anna")).toThrow("It was changed.");
});
