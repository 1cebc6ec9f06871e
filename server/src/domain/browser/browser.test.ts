import { describe, expect, test } from "vitest";
import { type Browser, type BrowserEvent, type Open, deadline, next, toExpiry } from "./browser.ts";

const start = Date.parse("2026-11-21T10:00:00.000Z");
const at = (seconds: number): Date => new Date(start + seconds * 1000);
const opening: Browser = { state: "opening", id: "a", requestedAt: at(0) };

function opened(expiry = toExpiry({ keepOpenMs: 30_000, lifetimeMs: 0 }, undefined)): Open {
  const browser = next(opening, { type: "opened", at: at(0), expiry });
  if (browser.state !== "open") throw new Error("The browser must be open.");
  return browser;
}

function after(browser: Browser, ...events: BrowserEvent[]): Browser {
  return events.reduce(next, browser);
}

describe("inactivity", () => {
  test("the inactivity period starts when the browser opens", () => {
    expect(deadline(opened())).toEqual({ at: at(30), reason: "inactive" });
  });

  test("a browser with a connected client never closes because of inactivity", () => {
    const browser = after(opened(), { type: "joined", at: at(1) });
    expect(deadline(browser as Open)).toBeUndefined();
  });

  test("the inactivity period restarts when the last client leaves, not the first", () => {
    const one = after(
      opened(),
      { type: "joined", at: at(1) },
      { type: "joined", at: at(2) },
      { type: "left", at: at(3) },
    );
    expect(deadline(one as Open)).toBeUndefined();
    expect(deadline(after(one, { type: "left", at: at(9) }) as Open)).toEqual({ at: at(39), reason: "inactive" });
  });

  test("a browser whose inactivity period ends after the latest possible Date never closes", () => {
    expect(deadline(opened(toExpiry({ keepOpenMs: 1e16, lifetimeMs: 0 }, undefined)))).toBeUndefined();
  });
});

describe("the maximum lifetime", () => {
  test("ends a browser even while it is in use", () => {
    const browser = after(opened(toExpiry({ keepOpenMs: 30_000, lifetimeMs: 0 }, 60_000)), {
      type: "joined",
      at: at(1),
    });
    expect(deadline(browser as Open)).toEqual({ at: at(60), reason: "lifetime" });
  });

  test.each([0, 60_001, Number.POSITIVE_INFINITY])(
    "a KeepOpen of %d ms is replaced by the maximum lifetime",
    (keepOpenMs) => {
      expect(toExpiry({ keepOpenMs: keepOpenMs, lifetimeMs: 0 }, 60_000)).toEqual({
        keepOpenMs: 60_000,
        lifetimeMs: 60_000,
      });
    },
  );

  test("is the end reason if the inactivity period ends at the same time", () => {
    expect(deadline(opened(toExpiry({ keepOpenMs: 0, lifetimeMs: 0 }, 60_000)))).toEqual({
      at: at(60),
      reason: "lifetime",
    });
  });

  test("without a maximum lifetime, a KeepOpen of 0 keeps the browser open", () => {
    expect(deadline(opened(toExpiry({ keepOpenMs: 0, lifetimeMs: 0 }, undefined)))).toBeUndefined();
  });
});

describe("late events", () => {
  const closed = after(opened(), { type: "ended", at: at(5), reason: "requested" });

  test.each<BrowserEvent>([
    { type: "opened", at: at(6), expiry: toExpiry({ keepOpenMs: 0, lifetimeMs: 0 }, undefined) },
    { type: "joined", at: at(6) },
    { type: "left", at: at(6) },
    { type: "ended", at: at(6), reason: "crashed" },
  ])("$type changes nothing in a closed browser", (event) => {
    expect(next(closed, event)).toBe(closed);
  });

  test("a client that disconnects twice is counted once", () => {
    const browser = after(opened(), { type: "left", at: at(3) });
    expect(browser).toMatchObject({ clients: 0, idleSince: at(0) });
  });
});
