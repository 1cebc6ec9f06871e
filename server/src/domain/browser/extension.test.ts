import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deadline, next, type Open, toLimit } from "./browser.ts";
import { EXTENSION_MS, isAtPlanLimit, toExtension } from "./extension.ts";

const OPENED_AT = new Date("2026-11-21T10:00:00.000Z");
const MINUTE = 60_000;

type Limits = Pick<Open["expiry"], "keepOpenMs" | "lifetimeMs">;

function open(limits: Limits, { clients = 0, idleMs = 0 } = {}): Open {
  const idleSince = clients === 0 ? new Date(OPENED_AT.getTime() + idleMs) : undefined;
  return { state: "open", id: "br_1", openedAt: OPENED_AT, expiry: limits, clients, idleSince };
}

/** Applies an extension to a browser, as `Fleet.change` does. */
function extend(browser: Open, maxLifetimeMs: number | undefined): Open {
  const { expiry, openedAt } = browser;
  const { keepOpenMs, lifetimeMs } = toExtension({ ...expiry, openedAt, due: deadline(browser) }, maxLifetimeMs) ?? {};
  const changed = next(browser, {
    type: "changed",
    expiry: {
      keepOpenMs: keepOpenMs === undefined ? expiry.keepOpenMs : toLimit(keepOpenMs, maxLifetimeMs),
      lifetimeMs: lifetimeMs === undefined ? expiry.lifetimeMs : toLimit(lifetimeMs, maxLifetimeMs),
    },
  });
  return changed as Open;
}

const closesAfter = (browser: Open): number => (deadline(browser)?.at.getTime() ?? Infinity) - OPENED_AT.getTime();

describe("an extension", () => {
  test.each([
    ["an inactive browser", { keepOpenMs: 5 * MINUTE, lifetimeMs: undefined }, {}],
    ["a browser at the end of its lifetime", { keepOpenMs: undefined, lifetimeMs: 5 * MINUTE }, {}],
    ["one in use", { keepOpenMs: MINUTE, lifetimeMs: 5 * MINUTE }, { clients: 1 }],
    ["an inactive browser whose lifetime is almost over", { keepOpenMs: 5 * MINUTE, lifetimeMs: 6 * MINUTE }, {}],
    [
      "a lifetime that ends shortly before the inactivity period does",
      { keepOpenMs: 4 * MINUTE, lifetimeMs: 5 * MINUTE },
      { idleMs: 2 * MINUTE },
    ],
  ])("extends %s by 10 minutes", (_, limits, state) => {
    expect(closesAfter(extend(open(limits, state), undefined))).toBe(15 * MINUTE);
  });

  test("ends at the plan's maximum lifetime, after which no extension is possible", () => {
    const extended = extend(open({ keepOpenMs: 5 * MINUTE, lifetimeMs: 12 * MINUTE }), 12 * MINUTE);
    expect(closesAfter(extended)).toBe(12 * MINUTE);
    const seen = { ...extended.expiry, openedAt: OPENED_AT, due: deadline(extended) };
    expect(toExtension(seen, 12 * MINUTE)).toBeUndefined();
    expect(isAtPlanLimit(seen, 12 * MINUTE)).toBe(true);
  });

  test("isn't possible for a browser that never closes automatically", () => {
    const limits = { keepOpenMs: undefined, lifetimeMs: undefined };
    expect(toExtension({ ...limits, openedAt: OPENED_AT, due: undefined }, undefined)).toBeUndefined();
  });

  test("never closes a browser sooner, even if the plan's maximum was lowered", () => {
    const limit = fc.option(fc.integer({ min: 1, max: 120 * MINUTE }), { nil: undefined });
    const state = fc.record({
      clients: fc.integer({ min: 0, max: 1 }),
      idleMs: fc.integer({ min: 0, max: 60 * MINUTE }),
    });
    fc.assert(
      fc.property(limit, limit, limit, state, (keepOpenMs, lifetimeMs, maxLifetimeMs, { clients, idleMs }) => {
        const browser = open({ keepOpenMs, lifetimeMs }, { clients, idleMs });
        const [before, after] = [closesAfter(browser), closesAfter(extend(browser, maxLifetimeMs))];
        expect(after).toBe(Math.max(before, Math.min(before + EXTENSION_MS, maxLifetimeMs ?? Infinity)));
      }),
    );
  });
});
