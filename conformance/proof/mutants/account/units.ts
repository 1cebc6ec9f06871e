import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "../../../../server/src/domain/account/account.ts";
import { Failure } from "../../../../server/src/domain/failure.ts";
import type { OpenBrowser, OpenCall, Services } from "../../../../server/test/interface.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { FEW_UNITS } from "../../plans.ts";
import { isFor } from "../../faults/alter.ts";
import { instead, onOpen, onOtherOperations, onQuery } from "../../faults/use-cases.ts";

const isFew = ({ plan }: Account): boolean => plan === "few";
const noUnits = (): Failure => new Failure("NoUnits", "All units for this month have been used.");

/** Changes a call's account if the account is `few-units`. */
function withFew(call: OpenCall, changes: Partial<Account>): OpenCall {
  return isFew(call.account) ? { ...call, account: { ...call.account, ...changes } } : call;
}

/** Replaces the server's unit count for the account `few-units`. */
function withUnits(use: (used: { count: number }, open: () => Promise<OpenBrowser>) => Promise<OpenBrowser>): Fault {
  const used = { count: 0 };
  return onOpen(async (call, open) => {
    if (!isFew(call.account)) return open(call);
    if (used.count >= FEW_UNITS) throw noUnits();
    const account = { ...call.account, units: 10_000, parallel: 10_000 };
    return use(used, () => open({ ...call, account }));
  });
}

function chargesInvalid(): Fault {
  let invalid = 0;
  let people: Services["auth"] | undefined;
  return {
    services(services) {
      ({ auth: people } = services);
      const { localBrowsers: browsers } = services;
      return {
        ...services,
        localBrowsers: instead(browsers, {
          openNew: (call, ...rest) => browsers.openNew(withFew(call, { units: FEW_UNITS - invalid }), ...rest),
        }),
      };
    },
    async answer(request, next) {
      const [, token = ""] = /^Bearer (.*)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
      const response = await next(request);
      if (response.status !== 400 || !isFor(request, "openBrowser")) return response;
      const account = await people?.tokens.authenticate(token);
      if (account !== undefined && isFew(account)) invalid += 1;
      return response;
    },
  };
}

/** Accounts without units. */
export const UNIT_MUTANTS: readonly Mutant[] = [
  mutant("units-none-opens", ["RBS-UNITS-01"], "An account without units may open browsers", () =>
    onOpen((call, open) => open({ ...call, account: { ...call.account, hasAdditionalUnits: true } })),
  ),
  mutant("units-one-too-many", ["RBS-UNITS-03"], "An account can open one more browser than it has units", () =>
    onOpen((call, open) => open(withFew(call, { units: FEW_UNITS + 1, parallel: 20 }))),
  ),
  mutant("units-one-too-few", ["RBS-UNITS-03"], "An account's last unit can't be used", () =>
    onOpen((call, open) => open(withFew(call, { units: FEW_UNITS - 1 }))),
  ),
  mutant("units-race", ["RBS-UNITS-03"], "A unit is charged after Open, so concurrent Open requests share a unit", () =>
    withUnits(async (used, open) => {
      const browser = await open();
      // Simulate a real browser, which takes longer to open than a fake browser.
      await sleep(50);
      used.count += 1;
      return browser;
    }),
  ),
  mutant("units-refused-charged", ["RBS-UNITS-03"], "An invalid Open request costs a unit", chargesInvalid),
  mutant("units-cut", ["RBS-UNITS-04"], "Open browsers close when the units are used up", () =>
    onOpen(async (call, open, browsers) => {
      try {
        return await open(call);
      } catch (error) {
        if (error instanceof Failure && error.failure === "NoUnits") {
          await Promise.all(browsers.list(call.account).map((browser) => browser.close("requested")));
        }
        throw error;
      }
    }),
  ),
  mutant("units-for-everything", ["RBS-UNITS-02"], "Every operation requires units", () =>
    onOtherOperations(({ plan }) => {
      if (plan === "empty") throw noUnits();
    }),
  ),
  mutant("units-for-query", ["RBS-AI-09"], "Query requires units", () =>
    onQuery((query) => ({
      async ask(account, ...rest) {
        if (account.plan === "empty") throw noUnits();
        return query.ask(account, ...rest);
      },
    })),
  ),
];
