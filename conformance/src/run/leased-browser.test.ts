import { expect, test } from "vitest";
import { LeasedBrowser } from "./leased-browser.ts";

function startLeasing() {
  const said: string[] = [];
  const ended = new Set<string>();
  const leased = new LeasedBrowser({
    open: async () => {
      said.push("open");
      return `browser ${said.length}`;
    },
    isOpen: async (address) => !ended.has(address),
    reset: async (address) => void said.push(`reset ${address}`),
  });
  return { leased, said, ended };
}

test("leases share one browser, which is reset in between", async () => {
  const { leased, said } = startLeasing();
  const first = await leased.lease();
  const second = leased.lease();
  expect(said).toEqual(["open"]);
  await first[Symbol.asyncDispose]();
  expect((await second).address).toBe(first.address);
  expect(said).toEqual(["open", "reset browser 1"]);
});

test("a browser that has closed is replaced", async () => {
  const { leased, ended } = startLeasing();
  const first = await leased.lease();
  ended.add(first.address);
  await first[Symbol.asyncDispose]();
  const second = await leased.lease();
  expect(second.address).not.toBe(first.address);
});

test("a lease that fails does not block the next one", async () => {
  let isBroken = true;
  const leased = new LeasedBrowser({
    open: async () => {
      if (isBroken) throw new Error("No browser.");
      return "a";
    },
    isOpen: async () => true,
    reset: async () => {},
  });
  await expect(leased.lease()).rejects.toThrow("No browser.");
  isBroken = false;
  expect((await leased.lease()).address).toBe("a");
});
