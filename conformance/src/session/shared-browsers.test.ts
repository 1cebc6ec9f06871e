import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LeasedBrowser, SharedBrowser } from "./shared-browsers.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function share() {
  const ended = new Set<string>();
  let opened = 0;
  const sharing = new SharedBrowser({
    open: async () => `browser ${(opened += 1)}`,
    isOpen: async (address) => {
      if (ended.has("all")) throw new Error("Get is broken.");
      return !ended.has(address);
    },
  });
  return { sharing, ended };
}

test("all callers share one browser", async () => {
  const { sharing } = share();
  expect(await Promise.all([sharing.get(), sharing.get()])).toEqual(["browser 1", "browser 1"]);
  vi.advanceTimersByTime(60_000);
  expect(await sharing.get()).toBe("browser 1");
});

test("a closed browser is replaced only once", async () => {
  const { sharing, ended } = share();
  await sharing.get();
  ended.add("browser 1");
  vi.advanceTimersByTime(60_000);
  expect(await Promise.all([sharing.get(), sharing.get()])).toEqual(["browser 2", "browser 2"]);
});

test("a browser that can't be checked is kept", async () => {
  const { sharing, ended } = share();
  await sharing.get();
  ended.add("all");
  vi.advanceTimersByTime(60_000);
  expect(await sharing.get()).toBe("browser 1");
});

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

test("leases share one browser, which is reset between leases", async () => {
  const { leased, said } = startLeasing();
  const first = await leased.lease();
  const second = leased.lease();
  expect(said).toEqual(["open"]);
  await first[Symbol.asyncDispose]();
  expect((await second).address).toBe(first.address);
  expect(said).toEqual(["open", "reset browser 1"]);
});

test("a closed browser is replaced", async () => {
  const { leased, ended } = startLeasing();
  const first = await leased.lease();
  ended.add(first.address);
  await first[Symbol.asyncDispose]();
  const second = await leased.lease();
  expect(second.address).not.toBe(first.address);
});

test("a failed lease does not block the next lease", async () => {
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
