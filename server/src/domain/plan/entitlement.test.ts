import { expect, test } from "vitest";
import { type Standing, isAdmitted, toAdmissionFailure, toTerms } from "./entitlement.ts";
import type { Plan } from "./plan.ts";

const plan: Plan = { name: "small", parallel: 3, unitsPerMonth: 100, maxLifetimeMs: undefined, isSelfService: false };
const CAPACITY = 8;

type Case = Partial<Standing> & { readonly plan?: Plan; readonly hasAdditionalUnits?: boolean };

function verdict({ plan: own = plan, hasAdditionalUnits = false, ...rest }: Case): string {
  const terms = toTerms(own, hasAdditionalUnits, CAPACITY);
  const standing = { isBarred: false, browsers: 0, units: 0, ...rest };
  return isAdmitted(terms, standing) ? "admitted" : toAdmissionFailure(terms, standing).failure;
}

test("the account is checked first, then its units, then its parallel limit", () => {
  expect(() => toTerms(undefined, false, CAPACITY)).toThrow(expect.objectContaining({ failure: "NoSubscription" }));
  expect(verdict({ isBarred: true, browsers: 3, units: 100 })).toBe("AuthorizationError");
  expect(verdict({ isBarred: true })).toBe("AuthorizationError");
  expect(verdict({ browsers: 3, units: 100 })).toBe("NoUnits");
  expect(verdict({ browsers: 3, units: 99 })).toBe("BrowserLimit");
  expect(verdict({ browsers: 2, units: 99 })).toBe("admitted");
});

test("additional units extend the plan's units, but not its parallel limit", () => {
  expect(verdict({ browsers: 2, units: 5000, hasAdditionalUnits: true })).toBe("admitted");
  expect(verdict({ browsers: 3, units: 5000, hasAdditionalUnits: true })).toBe("BrowserLimit");
});

test("without a parallel limit, the machine's capacity is the limit", () => {
  const unlimited = { ...plan, parallel: undefined };
  expect(verdict({ plan: unlimited, browsers: CAPACITY - 1 })).toBe("admitted");
  expect(verdict({ plan: unlimited, browsers: CAPACITY })).toBe("BrowserLimit");
});

test("a plan with zero units allows no browsers", () => {
  expect(verdict({ plan: { ...plan, unitsPerMonth: 0 } })).toBe("NoUnits");
});
