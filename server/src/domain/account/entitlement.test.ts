import { expect, test } from "vitest";
import { checkEntitlement } from "./entitlement.ts";
import { Failure } from "../failure.ts";
import type { Plan } from "./plan.ts";

const plan: Plan = { name: "small", parallel: 3, unitsPerMonth: 100, maxLifetimeMs: undefined, isSelfService: false };
const CAPACITY = 8;

function verdict(subscription: Plan | undefined, browsers: number, units: number, hasAdditionalUnits = false): string {
  try {
    checkEntitlement(subscription, hasAdditionalUnits, { browsers, units }, CAPACITY);
    return "allowed";
  } catch (error) {
    if (error instanceof Failure) return error.failure;
    throw error;
  }
}

test("the subscription is checked first, then the units, then the parallel limit", () => {
  expect(verdict(undefined, 3, 100)).toBe("NoSubscription");
  expect(verdict(plan, 3, 100)).toBe("NoUnits");
  expect(verdict(plan, 3, 99)).toBe("BrowserLimit");
  expect(verdict(plan, 2, 99)).toBe("allowed");
});

test("additional units exceed the plan's units but not its parallel limit", () => {
  expect(verdict(plan, 2, 5000, true)).toBe("allowed");
  expect(verdict(plan, 3, 5000, true)).toBe("BrowserLimit");
});

test("without a parallel limit, the machine's capacity is the limit", () => {
  const open = { ...plan, parallel: undefined };
  expect(verdict(open, CAPACITY - 1, 0)).toBe("allowed");
  expect(verdict(open, CAPACITY, 0)).toBe("BrowserLimit");
});

test("a plan with zero units opens no browsers", () => {
  expect(verdict({ ...plan, unitsPerMonth: 0 }, 0, 0)).toBe("NoUnits");
});
