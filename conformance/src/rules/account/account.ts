import { ACCOUNT, schema } from "../pointers.ts";
import { Undecidable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import type { Account } from "../../session/account.ts";
import { expectEqual, expectSuccess, expectThat, show } from "../../session/expect.ts";
import { LIMITED, onLimited } from "../../scenario/exclusive-account.ts";
import { openUpToLimit } from "../../scenario/fill-to-limit.ts";
import { openNamed } from "../../scenario/records.ts";

const DESCRIPTION = `${ACCOUNT}/description`;

/** An open browser uses another unit every minute. The first browser opens slightly before the rule starts. */
const HALF_A_MINUTE_MS = 30_000;

/** What Account/Get shows. */
export const ACCOUNT_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-ACCOUNT-01",
    at: DESCRIPTION,
    sentence:
      "Shows the plan of the account that the token belongs to, its limits, and what it has used in this month.",
    covers: ["getAccount 200"],
    opens: 1,
    async check(run) {
      const before = await accountOf(run.main);
      const { address } = await openNamed(run);
      const after = await accountOf(run.main);
      await run.main.close(address);
      expectThat(typeof after.plan === "string", "the name of the plan that permits Open", show(after.plan));
      const counted = numberOf(after, "open");
      expectThat(counted >= 1, "open to include the browser that was just opened", show(counted));
      const { parallel } = after;
      const isInLimit = parallel === null || (typeof parallel === "number" && counted <= parallel);
      expectThat(isInLimit, `open to be at most ${show(parallel)}, the value of parallel`, show(counted));
      if (before.period !== after.period) return;
      const used = numberOf(after, "unitsUsed") - numberOf(before, "unitsUsed");
      expectThat(used >= 1, "unitsUsed to increase by at least one unit for the browser just opened", show(used));
    },
  },
  {
    id: "RBS-ACCOUNT-02",
    at: schema("AccountInfo", "period"),
    sentence: "The month (UTC) that the units belong to, such as `2026-03`.",
    async check(run) {
      const exchange = await run.main.call("getAccount");
      const { period } = expectSuccess(exchange);
      const now = Date.parse(exchange.received.headers["date"] ?? "") || exchange.endedAt;
      // The month may have just changed.
      const months = [now - 60_000, now, now + 60_000].map((at) => new Date(at).toISOString().slice(0, 7));
      expectThat(months.includes(String(period)), `the period ${months[1]}`, show(period));
    },
  },
  {
    id: "RBS-ACCOUNT-03",
    at: DESCRIPTION,
    sentence: "The request has no parameters, and needs no body.",
    async check({ main }) {
      const { period } = await accountOf(main);
      const asked = expectSuccess(await main.raw({ method: "GET", path: "/api/v1/Account/Get?period=2000-01&plan=x" }));
      expectEqual("the period in a response to unknown parameters", asked["period"], period);
    },
  },
  {
    ...LIMITED,
    id: "RBS-ACCOUNT-04",
    at: schema("AccountInfo", "open"),
    sentence: "How many browsers count towards that limit now, including those that are being opened.",
    check: (run) =>
      onLimited(run, async (account, first) => {
        expectEqual("the number of open browsers after one Open", (await accountOf(account)).open, 1);
        const { address } = await openNamed(run, {}, account);
        expectEqual("the number of open browsers after two Opens", (await accountOf(account)).open, 2);
        expectSuccess(await account.close(address));
        expectEqual("open after Close", (await accountOf(account)).open, 1);
        expectSuccess(await account.close(first));
        expectEqual("open without browsers", (await accountOf(account)).open, 0);
      }),
  },
  {
    ...LIMITED,
    id: "RBS-ACCOUNT-05",
    at: schema("AccountInfo", "parallel"),
    sentence:
      "How many browsers may be open in parallel; `null` if only the machine's capacity limits that, or without a subscription.",
    isDetail: true,
    check: (run) =>
      onLimited(run, async (account, first) => {
        const limit = (await openUpToLimit(run, account, first)).length;
        const { parallel, open } = await accountOf(account);
        expectEqual("the parallel limit of an account whose next Open is rejected", parallel, limit);
        expectEqual("the number of open browsers when the limit is reached", open, limit);
      }),
  },
  {
    ...LIMITED,
    id: "RBS-ACCOUNT-06",
    at: schema("AccountInfo", "unitsUsed"),
    sentence: "The units consumed in this month.",
    isDetail: true,
    check: (run) =>
      onLimited(run, async (account, first) => {
        const startedAt = Date.now();
        const before = await accountOf(account);
        const { address } = await openNamed(run, {}, account);
        expectSuccess(await account.close(address));
        const after = await accountOf(account);
        if (Date.now() - startedAt > HALF_A_MINUTE_MS || before.period !== after.period) {
          throw new Undecidable("The units can't be counted, because the deployment is too slow or a new month began.");
        }
        const used = numberOf(after, "unitsUsed") - numberOf(before, "unitsUsed");
        expectEqual("the units used by a browser that was open for less than a minute", used, 1);
        if (before.unitsLeft !== null || after.unitsLeft !== null) {
          const spent = numberOf(before, "unitsLeft") - numberOf(after, "unitsLeft");
          expectEqual("the difference in unitsLeft", spent, used);
        }
        // Closing a browser does not refund its unit.
        expectSuccess(await account.close(first));
        const closed = await accountOf(account);
        expectEqual("unitsUsed after Close", closed.unitsUsed, after.unitsUsed);
      }),
  },
  {
    id: "RBS-ACCOUNT-07",
    capability: "quota",
    at: schema("AccountInfo", "plan"),
    sentence: "The name of its plan; `null` if it has no active subscription.",
    needs: ["no-subscription"],
    async check({ account }) {
      const { plan, parallel, unitsLeft, maxLifetime, open } = await accountOf(account("no-subscription"));
      const shown = { plan, parallel, unitsLeft, maxLifetime, open };
      const none = { plan: null, parallel: null, unitsLeft: null, maxLifetime: null, open: 0 };
      expectEqual("an account without a subscription", shown, none);
    },
  },
  {
    id: "RBS-ACCOUNT-08",
    capability: "quota",
    at: schema("AccountInfo", "unitsLeft"),
    sentence:
      "The units of the plan that are left in this month; `null` if the plan does not limit them, or without a subscription.",
    needs: ["no-units"],
    async check({ account }) {
      const { plan, unitsLeft, additionalUnits } = await accountOf(account("no-units"));
      expectThat(typeof plan === "string", "a plan name for an account without units", show(plan));
      expectEqual("unitsLeft of an account that has no units left to open a browser", unitsLeft, 0);
      expectEqual("additionalUnits of an account that has no units left", additionalUnits, false);
    },
  },
]);

/** The members of AccountInfo, typed `unknown` because the server's response may be wrong. */
type Shown = Record<
  "plan" | "parallel" | "open" | "period" | "unitsUsed" | "unitsLeft" | "additionalUnits" | "maxLifetime",
  unknown
>;

export async function accountOf(account: Account): Promise<Shown> {
  return expectSuccess(await account.call("getAccount")) as Shown;
}

/** @throws {Violation} When the member is not a number. */
function numberOf(shown: Shown, member: keyof Shown): number {
  const value = shown[member];
  expectThat(typeof value === "number", `${member} to be a number`, show(value));
  return value;
}
