import { expect, test } from "vitest";
import { Lending } from "./lending.ts";

function lend() {
  const said: string[] = [];
  const ended = new Set<string>();
  const lending = new Lending({
    open: async () => {
      said.push("open");
      return `browser ${said.length}`;
    },
    isOpen: async (address) => !ended.has(address),
    tidy: async (address) => void said.push(`tidy ${address}`),
  });
  return { lending, said, ended };
}

test("the same browser goes from hand to hand, tidied in between", async () => {
  const { lending, said } = lend();
  const first = await lending.borrow();
  const second = lending.borrow();
  expect(said).toEqual(["open"]);
  await first[Symbol.asyncDispose]();
  expect((await second).address).toBe(first.address);
  expect(said).toEqual(["open", "tidy browser 1"]);
});

test("one that has ended is replaced", async () => {
  const { lending, ended } = lend();
  const first = await lending.borrow();
  ended.add(first.address);
  await first[Symbol.asyncDispose]();
  const second = await lending.borrow();
  expect(second.address).not.toBe(first.address);
});

test("who gets none leaves the turn to the next", async () => {
  let isBroken = true;
  const lending = new Lending({
    open: async () => {
      if (isBroken) throw new Error("No browser.");
      return "a";
    },
    isOpen: async () => true,
    tidy: async () => {},
  });
  await expect(lending.borrow()).rejects.toThrow("No browser.");
  isBroken = false;
  expect((await lending.borrow()).address).toBe("a");
});
