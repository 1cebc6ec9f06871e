import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { isFor, onCall, onSuccess, refusal } from "../../faults/alter.ts";
import type { Shown } from "../../faults/shown.ts";

function onAccount(alter: (account: Shown, request: Request) => Shown): Fault {
  return onSuccess("getAccount", (body, request) => ({ ...body, ...alter(body, request) }));
}

/** What Account/Get shows. */
export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  mutant("account-without-plan", ["RBS-ACCOUNT-01", "RBS-ACCOUNT-08"], "The account has no plan", () =>
    onAccount(() => ({ plan: null })),
  ),
  mutant("account-used-late", ["RBS-ACCOUNT-01"], "unitsUsed does not count open browsers", () =>
    onAccount(({ unitsUsed, open }) => ({ unitsUsed: Math.max(0, Number(unitsUsed) - Number(open)) })),
  ),
  mutant("account-cached", ["RBS-ACCOUNT-01", "RBS-ACCOUNT-04", "RBS-ACCOUNT-06"], "Usage is read only once", () => {
    const first = new Map<unknown, Shown>();
    return onAccount((account, request) => {
      const token = request.headers.get("authorization");
      first.set(token, first.get(token) ?? account);
      return first.get(token) ?? account;
    });
  }),
  mutant("account-last-month", ["RBS-ACCOUNT-02"], "The period is the previous month", () =>
    onAccount(() => {
      const now = new Date();
      return { period: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7) };
    }),
  ),
  mutant("account-period-day", ["RBS-ACCOUNT-02", "RBS-ANSWER-02"], "The period is a day instead of a month", () =>
    onAccount(() => ({ period: new Date().toISOString().slice(0, 10) })),
  ),
  mutant("account-parameters", ["RBS-ACCOUNT-03"], "Account/Get rejects unknown parameters", () =>
    onCall((request) =>
      isFor(request, "getAccount") && new URL(request.url).search !== "" ? refusal("BadRequest", "") : undefined,
    ),
  ),
  mutant("account-open-stays", ["RBS-ACCOUNT-04"], "open also counts closed browsers", () => {
    const most = new Map<unknown, number>();
    return onAccount(({ open }, request) => {
      const token = request.headers.get("authorization");
      most.set(token, Math.max(most.get(token) ?? 0, Number(open)));
      return { open: most.get(token) };
    });
  }),
  mutant("account-parallel", ["RBS-ACCOUNT-05"], "parallel is one more than the limit", () =>
    onAccount(({ parallel }) => ({ parallel: parallel === null ? null : Number(parallel) + 1 })),
  ),
  mutant("account-parallel-left", ["RBS-ACCOUNT-05"], "parallel is how many more browsers can be opened", () =>
    onAccount(({ parallel, open }) => ({ parallel: parallel === null ? null : Number(parallel) - Number(open) })),
  ),
  mutant("account-units-twice", ["RBS-ACCOUNT-06"], "unitsUsed counts each unit twice", () =>
    onAccount(({ unitsUsed }) => ({ unitsUsed: 2 * Number(unitsUsed) })),
  ),
  mutant("account-left-constant", ["RBS-ACCOUNT-06"], "unitsLeft is the plan's allowance regardless of usage", () =>
    onAccount(({ unitsLeft, unitsUsed }) => ({
      unitsLeft: unitsLeft === null ? null : Number(unitsLeft) + Number(unitsUsed),
    })),
  ),
  mutant("account-plan-none", ["RBS-ACCOUNT-07"], "Without a subscription, plan is the string none, not null", () =>
    onAccount(({ plan }) => ({ plan: plan ?? "none" })),
  ),
  mutant("account-no-units-null", ["RBS-ACCOUNT-08"], "unitsLeft is null if no units are left", () =>
    onAccount(({ unitsLeft }) => ({ unitsLeft: unitsLeft === 0 ? null : unitsLeft })),
  ),
];
