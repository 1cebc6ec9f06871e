import type { Account } from "../../../domain/account/account.ts";
import type { Plans } from "../../../domain/plan/plan.ts";
import type { Form } from "../../kit/form.ts";
import type { AccountTerms } from "../../../services/operators/operators.ts";

/** An account's plan and limits, as entered in the form. */
export type TermsEntered = {
  /** The name of a plan, or `none`. */
  readonly plan: string;
  /** Empty for the plan's limit. */
  readonly parallel: string;
  readonly units: string;
  readonly hasAdditionalUnits: boolean;
  /** Error messages by field name. */
  readonly faults: ReadonlyMap<string, string>;
};

export function toEntered({ plan, parallel, units, hasAdditionalUnits }: Account): TermsEntered {
  return {
    plan: plan ?? "none",
    parallel: parallel?.toString() ?? "",
    units: units?.toString() ?? "",
    hasAdditionalUnits,
    faults: new Map(),
  };
}

/** @returns The terms; undefined if `entered` is invalid. */
export function readTerms(
  form: Form,
  account: Account,
  plans: Plans,
): { readonly terms: AccountTerms | undefined; readonly entered: TermsEntered } {
  const [plan, parallel, units] = [form.text("plan"), form.text("parallel").trim(), form.text("units").trim()];
  const hasAdditionalUnits = form.isOn("additional");
  const faults = new Map<string, string>();
  const planName = plan === "none" ? undefined : plan;
  // The account can keep a plan that is no longer offered.
  if (planName !== undefined && planName !== account.plan && !plans.has(planName))
    faults.set("plan", `There is no plan ${JSON.stringify(plan)}. Choose one from the list.`);
  const terms: AccountTerms = {
    ...(planName === account.plan ? {} : { plan: planName ?? null }),
    parallel: readCount("parallel", parallel, 1, faults),
    units: readCount("units", units, 0, faults),
    hasAdditionalUnits,
  };
  const entered = { plan, parallel, units, hasAdditionalUnits, faults };
  return { terms: faults.size === 0 ? terms : undefined, entered };
}

/** @returns Null for an empty field, so that the plan's limit applies. */
function readCount(name: string, text: string, min: number, faults: Map<string, string>): number | null {
  if (text === "") return null;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  faults.set(name, `Enter a whole number, ${min} or more, or leave this empty. ${JSON.stringify(text)} is not valid.`);
  return null;
}
