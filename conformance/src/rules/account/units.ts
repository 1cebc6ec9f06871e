import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectRefusal, expectThat, toErrorBody } from "../../session/expect.ts";
import { NotApplicable, Undecidable } from "../../target/violation.ts";
import type { Exchange } from "../../target/exchange.ts";
import { expectOtherOperationsWork } from "./subscriptions.ts";
import { spendUnits } from "../../scenario/spend-units.ts";

/** Maximum number of units that the account `few-units` may have left. */
const MAX_UNITS = 5;
const MAX_OPENS = MAX_UNITS + 1;
/** Slightly less than a minute. An open browser uses another unit every minute. */
const NEARLY_A_MINUTE_MS = 55_000;
const USED_UP = "When the allowance is used up, running browsers keep running; only new ones are refused";

/** Rules about accounts that run out of units. */
export const UNITS_RULES = scenarios({ capability: "quota", at: INFO }, [
  {
    id: "RBS-UNITS-01",
    level: "required",
    at: "#/paths/~1api~1v1~1Browser~1Open/post/responses/403/description",
    sentence: "All units of this month have been consumed.",
    covers: ["openBrowser 403"],
    needs: ["no-units"],
    check: async ({ account, newLabel }) =>
      expectRefusal(await account("no-units").open({ Headless: true, Label: newLabel() }), "NoUnits"),
  },
  {
    id: "RBS-UNITS-02",
    sentence: "Only Open needs a subscription and units; the other operations need neither.",
    needs: ["no-units"],
    check: (run) => expectOtherOperationsWork(run.account("no-units"), run),
  },
  {
    id: "RBS-UNITS-03",
    sentence: "charged when it opens and at every full minute after that. An Open request that fails costs nothing.",
    opens: MAX_OPENS,
    atOnce: 0,
    needs: ["few-units"],
    async check(run) {
      const { unitsLeft } = run.options;
      if (unitsLeft === undefined) {
        throw new NotApplicable("The units of the account few-units are not known: give them as --units-left.");
      }
      if (unitsLeft > MAX_UNITS) {
        throw new NotApplicable(`The few-units account has more than ${MAX_UNITS} units left, too many to use up.`);
      }
      const { opened, tookMs, refusals } = await spendUnits(run);
      expectNotFull(refusals);
      if (opened <= unitsLeft && tookMs >= NEARLY_A_MINUTE_MS) {
        throw new Undecidable("Open is too slow: browsers that remain open for a minute use more than one unit.");
      }
      expectThat(opened === unitsLeft, `exactly ${unitsLeft} browsers to open with ${unitsLeft} units`, String(opened));
      for (const refusal of refusals) expectRefusal(refusal, "NoUnits");
    },
  },
  {
    id: "RBS-UNITS-04",
    sentence: USED_UP,
    opens: MAX_OPENS,
    atOnce: 0,
    needs: ["few-units"],
    async check(run) {
      const { refusals, isFirstListed, version } = await spendUnits(run);
      const refusal = refusals.find(({ received }) => toErrorBody(received.json).name === "NoUnits");
      if (refusal === undefined) expectNotFull(refusals);
      if (refusal === undefined) throw new NotApplicable("The units of the few-units account were not used up.");
      expectThat(isFirstListed, "a browser to remain listed when no units are left", "a list without the browser");
      const isAnswered = version !== undefined && "result" in version;
      const seen = version === undefined ? "a closed browser connection" : JSON.stringify(version);
      expectThat(isAnswered, "a browser to respond to DevTools commands when no units are left", seen);
    },
  },
]);

/** @throws {Undecidable} When the machine is full. */
function expectNotFull(refusals: readonly Exchange[]): void {
  if (refusals.every(({ received }) => received.status !== 503)) return;
  throw new Undecidable("The machine is full, so the unit limit can't be tested.");
}
