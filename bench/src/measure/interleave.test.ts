import { expect, test } from "vitest";
import { interleave } from "./interleave.ts";

test("each round runs all sides and starts with a different side", async () => {
  const order: string[] = [];
  const side = (name: string) => async () => order.push(name);
  await interleave({ a: side("a"), b: side("b"), c: side("c") }, { rounds: 3, warmUps: 0 }, () => {});
  expect(order.join("")).toBe("abcbcacab");
});

test("warm-ups are reported, but not measured", async () => {
  let runs = 0;
  const reported: string[] = [];
  const { a } = await interleave({ a: async () => ++runs }, { rounds: 2, warmUps: 1 }, (done, all) =>
    reported.push(`${done}/${all}`),
  );
  expect(a).toEqual([2, 3]);
  expect(reported).toEqual(["1/3", "2/3", "3/3"]);
});
