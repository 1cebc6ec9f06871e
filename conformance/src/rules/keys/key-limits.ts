import { INFO, OPEN } from "../pointers.ts";
import { NotApplicable, Undecidable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectRefusal, expectSuccess, expectThat, toErrorBody } from "../../session/expect.ts";
import { LIMITED, onLimited } from "../../scenario/exclusive-account.ts";
import { MAX_LIMIT, open, openUnlessMachineFull, openUpToLimit } from "../../scenario/fill-to-limit.ts";
import { accountOf } from "../account/account.ts";
import { expectReused, expectSame, newKeyedOpen, openKeyed, repeat, withKey } from "./keys.ts";
import { spendUnits } from "../../scenario/spend-units.ts";

const LIMITED_KEYS = { ...LIMITED, opens: MAX_LIMIT + 3 } as const;
const NEEDS_NOTHING = "A repetition needs neither a subscription nor units.";
const ORDER =
  "Open checks the `Idempotency-Key` (409 and 422), the subscription (402), the units (403), the parallel limit (404) and the machine (503), in this order.";
/** An open browser uses another unit every minute. */
const HALF_A_MINUTE_MS = 30_000;

/** Rules about the Idempotency-Keys of accounts that have reached a limit. */
export const KEY_LIMIT_RULES = scenarios({ capability: "quota", since: "1.1", atOnce: 0, at: `${OPEN}/description` }, [
  {
    ...LIMITED_KEYS,
    id: "RBS-KEY-12",
    sentence: "If the request is refused or undone, the key is free again.",
    covers: ["openBrowser 404"],
    check: (run) =>
      onLimited(run, async (account, first) => {
        await openUpToLimit(run, account, first);
        const { key } = newKeyedOpen(run);
        expectRefusal(await open(run, account, {}, withKey(key)), "BrowserLimit");
        expectSuccess(await account.close(first));
        // With another label.
        expectSuccess(await openUnlessMachineFull(run, account, {}, withKey(key)));
      }),
  },
  {
    ...LIMITED_KEYS,
    id: "RBS-KEY-13",
    at: INFO,
    sentence: ORDER,
    covers: ["openBrowser 422"],
    check: (run) =>
      onLimited(run, async (account, first) => {
        const opened = await openKeyed(run, {}, undefined, account);
        await openUpToLimit(run, account, first);
        expectSame(await repeat(account, opened), opened);
        await expectReused(run, account, opened);
      }),
  },
  {
    ...LIMITED_KEYS,
    id: "RBS-KEY-14",
    sentence: NEEDS_NOTHING,
    isDetail: true,
    check: (run) =>
      onLimited(run, async (account) => {
        const startedAt = Date.now();
        const opened = await openKeyed(run, {}, undefined, account);
        const before = await accountOf(account);
        for (const _ of ["once", "twice"]) expectSame(await repeat(account, opened), opened);
        const after = await accountOf(account);
        if (Date.now() - startedAt > HALF_A_MINUTE_MS || before.period !== after.period) {
          throw new Undecidable("The units can't be counted, because the deployment is too slow or a new month began.");
        }
        expectEqual("unitsUsed after repeated Open requests", after.unitsUsed, before.unitsUsed);
      }),
  },
  {
    id: "RBS-KEY-15",
    sentence: NEEDS_NOTHING,
    covers: ["openBrowser 422"],
    needs: ["few-units"],
    opens: MAX_LIMIT + 3,
    async check(run) {
      const { keyed, refusals } = await spendUnits(run);
      const isUsedUp = refusals.some(({ received }) => toErrorBody(received.json).name === "NoUnits");
      if (!isUsedUp || keyed === undefined) {
        throw new NotApplicable("The units of the few-units account were not used up.");
      }
      const [first, again] = [expectSuccess(keyed.first), expectSuccess(keyed.repeated)];
      expectEqual("the id in the response to a repeated Open when no units are left", again["id"], first["id"]);
      const isSame = again["address"] === first["address"];
      expectThat(isSame, "the same address as in the first response", "another one");
      expectRefusal(keyed.reused, "IdempotencyKeyReused");
    },
  },
]);
