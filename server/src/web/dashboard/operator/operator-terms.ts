import type { Account } from "../../../domain/account/account.ts";
import type { Plans } from "../../../domain/account/plan.ts";
import type { Form } from "../../kit/form.ts";
import type { Terms } from "../../../services/accounts/account-desk.ts";

/** What stands in the form of an account's plan, and what is wrong with it. */
export type TermsEntered = {
  /** `none`, or the name of a plan. */
  readonly plan: string;
  /** Empty: the plan's. */
  readonly parallel: string;
  readonly units: string;
  readonly hasAdditionalUnits: boolean;
  /** By the name of a field. */
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

/** @returns What to change; undefined when something is wrong, which stands beside what was entered then. */
export function readTerms(
  form: Form,
  account: Account,
  plans: Plans,
): { readonly terms: Terms | undefined; readonly entered: TermsEntered } {
  const [plan, parallel, units] = [form.text("plan"), form.text("parallel").trim(), form.text("units").trim()];
  const hasAdditionalUnits = form.isOn("additional");
  const faults = new Map<string, string>();
  const wanted = plan === "none" ? undefined : plan;
  // One that the operator offers no more may stay.
  if (wanted !== undefined && wanted !== account.plan && !plans.has(wanted))
    faults.set("plan", `There is no plan ${JSON.stringify(plan)}: choose one of the list.`);
  const terms: Terms = {
    ...(wanted === account.plan ? {} : { plan: wanted ?? null }),
    parallel: readCount("parallel", parallel, 1, faults),
    units: readCount("units", units, 0, faults),
    hasAdditionalUnits,
  };
  const entered = { plan, parallel, units, hasAdditionalUnits, faults };
  return { terms: faults.size === 0 ? terms : undefined, entered };
}

/** @returns Null for an empty field: the plan's own. */
function readCount(name: string, text: string, min: number, faults: Map<string, string>): number | null {
  if (text === "") return null;
  const count = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(count) && count >= min) return count;
  faults.set(name, `This must be a whole number from ${min}, or empty, not ${JSON.stringify(text)}.`);
  return null;
}
