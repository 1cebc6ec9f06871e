import { expect, test } from "vitest";
import { checkEntitlement } from "./entitlement.ts";
import { Failure } from "../failure.ts";
import type { Plan } from "./plan.ts";

const plan: Plan = { name: "small", parallel: 3, unitsPerMonth: 100, maxLifetimeMs: undefined, isSelfService: false };
const CAPACITY = 8;

function verdict(subscription: Plan | undefined, browsers: number, units: number, hasAdditionalUnits = false): string {
  try {
    checkEntitlement(subscription, hasAdditionalUnits, { browsers, units }, CAPACITY);
    return "admitted";
  } catch (error) {
    if (error instanceof Failure) return error.failure;
    throw error;
  }
}

test("the subscription is asked first, then the units, then the parallel limit", () => {
  expect(verdict(undefined, 3, 100)).toBe("NoSubscription");
  expect(verdict(plan, 3, 100)).toBe("NoUnits");
  expect(verdict(plan, 3, 99)).toBe("BrowserLimit");
  expect(verdict(plan, 2, 99)).toBe("admitted");
});

test("additional units go past the plan's units, not past its parallel limit", () => {
  expect(verdict(plan, 2, 5000, true)).toBe("admitted");
  expect(verdict(plan, 3, 5000, true)).toBe("BrowserLimit");
});

test("a plan without a parallel limit of its own ends at the machine's capacity", () => {
  const open = { ...plan, parallel: undefined };
  expect(verdict(open, CAPACITY - 1, 0)).toBe("admitted");
  expect(verdict(open, CAPACITY, 0)).toBe("BrowserLimit");
});

test("a plan of no units opens nothing", () => {
  expect(verdict({ ...plan, unitsPerMonth: 0 }, 0, 0)).toBe("NoUnits");
});
