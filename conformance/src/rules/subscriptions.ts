import { INFO } from "../registry/pointers.ts";
import type { ScenarioRule } from "../registry/rule.ts";
import type { Account } from "../run/account.ts";
import { expectRefusal, expectSuccess } from "../run/expect.ts";
import { unusedAddress } from "../target/addresses.ts";

const QUOTA = { kind: "scenario", capability: "quota" } as const;

/** Accounts without a subscription. */
export const SUBSCRIPTION_RULES: readonly ScenarioRule[] = [
  {
    ...QUOTA,
    id: "RBS-SUB-01",
    level: "required",
    at: "#/paths/~1api~1v1~1Browser~1Open/post/responses/402/description",
    sentence: "The account has no active subscription.",
    covers: ["openBrowser 402"],
    opens: 0,
    needs: ["no-subscription"],
    async check({ account, newLabel }) {
      expectRefusal(await account("no-subscription").open({ Headless: true, Label: newLabel() }), "NoSubscription");
    },
  },
  {
    ...QUOTA,
    id: "RBS-SUB-02",
    level: "decision",
    at: INFO,
    sentence: "Only Open needs a subscription and units; the other operations need neither.",
    opens: 0,
    needs: ["no-subscription"],
    check: ({ account }) => expectOtherOperationsWork(account("no-subscription")),
  },
  {
    ...QUOTA,
    id: "RBS-SUB-03",
    level: "decision",
    at: INFO,
    sentence: "media type (415), content (400), and then whatever the operation itself checks.",
    opens: 0,
    needs: ["no-subscription"],
    async check({ account, newLabel }) {
      const wrong = { Headless: true, KeepOpen: true, Label: newLabel() };
      expectRefusal(await account("no-subscription").open(wrong), "BadRequest", "/KeepOpen");
    },
  },
];

/** Checks that all Browser operations except Open work. */
export async function expectOtherOperationsWork(account: Account): Promise<void> {
  const address = unusedAddress();
  expectSuccess(await account.get());
  expectRefusal(await account.close(address), "BrowserNotFound");
  expectRefusal(await account.startDesktop(address), "BrowserNotFound");
  expectRefusal(await account.stopDesktop(address), "BrowserNotFound");
}
