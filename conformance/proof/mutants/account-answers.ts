import type { Fault, Mutant } from "../mutant.ts";
import { isFor, onAnswer, onCall, refusal } from "./alter.ts";
import type { Shown } from "./shown.ts";

function onAccount(alter: (account: Shown, request: Request) => Shown): Fault {
  return onAnswer("getAccount", ({ status, body }, request) =>
    status === 200 ? { body: { ...body, ...alter(body, request) } } : {},
  );
}

/** What an account is told about itself. */
export const ACCOUNT_MUTANTS: readonly Mutant[] = [
  {
    id: "account-without-plan",
    title: "The account has no plan",
    killedBy: ["RBS-ACCOUNT-01", "RBS-ACCOUNT-08"],
    fault: () => onAccount(() => ({ plan: null })),
  },
  {
    id: "account-used-late",
    title: "unitsUsed does not count browsers that are open",
    killedBy: ["RBS-ACCOUNT-01"],
    fault: () => onAccount(({ unitsUsed, open }) => ({ unitsUsed: Math.max(0, Number(unitsUsed) - Number(open)) })),
  },
  {
    id: "account-cached",
    title: "What the account has used is only read once",
    killedBy: ["RBS-ACCOUNT-01", "RBS-ACCOUNT-04", "RBS-ACCOUNT-06"],
    fault: () => {
      const first = new Map<unknown, Shown>();
      return onAccount((account, request) => {
        const token = request.headers.get("authorization");
        first.set(token, first.get(token) ?? account);
        return first.get(token) ?? account;
      });
    },
  },
  {
    id: "account-last-month",
    title: "The period is the last month",
    killedBy: ["RBS-ACCOUNT-02"],
    fault: () =>
      onAccount(() => {
        const now = new Date();
        return { period: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7) };
      }),
  },
  {
    id: "account-period-day",
    title: "The period is a day",
    killedBy: ["RBS-ACCOUNT-02", "RBS-ANSWER-02"],
    fault: () => onAccount(() => ({ period: new Date().toISOString().slice(0, 10) })),
  },
  {
    id: "account-parameters",
    title: "The account's operation refuses unknown parameters",
    killedBy: ["RBS-ACCOUNT-03"],
    fault: () =>
      onCall((request) =>
        isFor(request, "getAccount") && new URL(request.url).search !== "" ? refusal("BadRequest", "") : undefined,
      ),
  },
  {
    id: "account-open-stays",
    title: "open also counts browsers that are closed",
    killedBy: ["RBS-ACCOUNT-04"],
    fault: () => {
      const most = new Map<unknown, number>();
      return onAccount(({ open }, request) => {
        const token = request.headers.get("authorization");
        most.set(token, Math.max(most.get(token) ?? 0, Number(open)));
        return { open: most.get(token) };
      });
    },
  },
  {
    id: "account-parallel",
    title: "parallel is one more than the limit",
    killedBy: ["RBS-ACCOUNT-05"],
    fault: () => onAccount(({ parallel }) => ({ parallel: parallel === null ? null : Number(parallel) + 1 })),
  },
  {
    id: "account-parallel-left",
    title: "parallel is how many more browsers may be opened",
    killedBy: ["RBS-ACCOUNT-05"],
    fault: () =>
      onAccount(({ parallel, open }) => ({ parallel: parallel === null ? null : Number(parallel) - Number(open) })),
  },
  {
    id: "account-units-twice",
    title: "unitsUsed counts each unit twice",
    killedBy: ["RBS-ACCOUNT-06"],
    fault: () => onAccount(({ unitsUsed }) => ({ unitsUsed: 2 * Number(unitsUsed) })),
  },
  {
    id: "account-left-constant",
    title: "unitsLeft is the plan's allowance, whatever has been used",
    killedBy: ["RBS-ACCOUNT-06"],
    fault: () =>
      onAccount(({ unitsLeft, unitsUsed }) => ({
        unitsLeft: unitsLeft === null ? null : Number(unitsLeft) + Number(unitsUsed),
      })),
  },
  {
    id: "account-plan-none",
    title: "Without a subscription, the plan is named none",
    killedBy: ["RBS-ACCOUNT-07"],
    fault: () => onAccount(({ plan }) => ({ plan: plan ?? "none" })),
  },
  {
    id: "account-no-units-null",
    title: "unitsLeft is null if no units are left",
    killedBy: ["RBS-ACCOUNT-08"],
    fault: () => onAccount(({ unitsLeft }) => ({ unitsLeft: unitsLeft === 0 ? null : unitsLeft })),
  },
];
