import { expect, test } from "vitest";
import type { Account } from "./account.ts";
import { toAllowance } from "./allowance.ts";
import { SELF_HOSTED } from "../plan/plan.ts";

const SMALL = { ...SELF_HOSTED, name: "small", unitsPerMonth: 10 };
const PLANS = new Map([SELF_HOSTED, SMALL].map((plan) => [plan.name, plan]));
const ACCOUNT: Account = {
  id: "me",
  email: "me@example.com",
  plan: "small",
  parallel: undefined,
  units: undefined,
  hasAdditionalUnits: false,
  isDisabled: false,
  isOperator: false,
  version: 0,
  createdAt: new Date(0),
};

test.each([
  [{}, 0, { unitsLeft: 10, additionalUnits: 0 }],
  [{}, 9, { unitsLeft: 1, additionalUnits: 0 }],
  [{}, 10, { unitsLeft: 0, additionalUnits: 0 }],
  [{}, 13, { unitsLeft: 0, additionalUnits: 3 }],
  [{ units: 4 }, 5, { unitsLeft: 0, additionalUnits: 1 }],
  [{ units: 0 }, 0, { unitsLeft: 0, additionalUnits: 0 }],
  [{ plan: "self-hosted" }, 5, { unitsLeft: undefined, additionalUnits: 0 }],
  [{ plan: undefined }, 5, { plan: undefined, unitsLeft: undefined, additionalUnits: 0 }],
])("with %j and %d units used, the allowance is %j", (change, unitsUsed, allowance) => {
  expect(toAllowance({ ...ACCOUNT, ...change }, PLANS, unitsUsed)).toMatchObject({ ...allowance, unitsUsed });
});
