import { expect, test } from "vitest";
import { SELF_HOSTED } from "../../../domain/plan/plan.ts";
import type { Frame } from "../../kit/layout.ts";
import { renderAccount } from "./operator-account-view.ts";

const FRAME: Frame = { to: (path) => path, asset: (name) => name, user: undefined, isSignUpOpen: false };
const PLANS = new Map(["small", "large"].map((name) => [name, { ...SELF_HOSTED, name }]));
const LIMITS = { parallel: undefined, units: undefined, hasAdditionalUnits: false };
const NOW = { isDisabled: false, isOperator: false, version: 0, createdAt: new Date(0), unitsUsed: 0, openBrowsers: 0 };

/** Returns the plans that an account's page offers after a form error. A star marks the selected plan. */
async function offered(plan: string | undefined, entered: string): Promise<string[]> {
  const account = { id: "a", email: "ann@example.com", plan, ...LIMITS, ...NOW };
  const faults = new Map([["parallel", "Enter a whole number."]]);
  const form = { plan: entered, parallel: "x", units: "", hasAdditionalUnits: false, faults };
  const page = await renderAccount(FRAME, {
    account,
    isOwn: false,
    plans: PLANS,
    done: undefined,
    refused: undefined,
    entered: form,
    acts: { acts: [], emails: new Map(), next: undefined },
  });
  const options = String(page).matchAll(/<option value="([^"]*)"\s*(selected)?/g);
  return [...options].map(([, name, selected]) => (selected === undefined ? `${name}` : `${name}*`));
}

test.each([
  ["small", "large", ["none", "small", "large*"]],
  ["small", "none", ["none*", "small", "large"]],
  [undefined, "large", ["none", "small", "large*"]],
  // The account still has a plan that no longer exists.
  ["gone", "gone", ["none", "small", "large", "gone*"]],
  ["gone", "small", ["none", "small*", "large"]],
  // Only a forged form can contain this plan.
  ["small", "huge", ["none", "small*", "large"]],
  [undefined, "huge", ["none*", "small", "large"]],
])("after an error, the form for the plan %s with %s chosen offers %j", async (plan, entered, all) => {
  expect(await offered(plan, entered)).toEqual(all);
});
