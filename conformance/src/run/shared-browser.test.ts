import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SharedBrowser } from "./shared-browser.ts";

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

test("all callers get the same browser", async () => {
  const { sharing } = share();
  expect(await Promise.all([sharing.get(), sharing.get()])).toEqual(["browser 1", "browser 1"]);
  vi.advanceTimersByTime(60_000);
  expect(await sharing.get()).toBe("browser 1");
});

test("a browser that has closed is replaced once", async () => {
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
