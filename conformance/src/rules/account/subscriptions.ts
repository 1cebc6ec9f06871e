import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { includes } from "../../contract/versions.ts";
import type { Account } from "../../session/account.ts";
import { expectRefusal, expectSuccess } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { unusedAddress } from "../../target/addresses.ts";

/** Rules about accounts without a subscription. */
export const SUBSCRIPTION_RULES = scenarios({ capability: "quota", needs: ["no-subscription"] }, [
  {
    id: "RBS-SUB-01",
    level: "required",
    at: "#/paths/~1api~1v1~1Browser~1Open/post/responses/402/description",
    sentence: "The account has no active subscription.",
    covers: ["openBrowser 402"],
    check: async ({ account, newLabel }) =>
      expectRefusal(await account("no-subscription").open({ Headless: true, Label: newLabel() }), "NoSubscription"),
  },
  {
    id: "RBS-SUB-02",
    at: INFO,
    sentence: "Only Open needs a subscription and units; the other operations need neither.",
    check: (run) => expectOtherOperationsWork(run.account("no-subscription"), run),
  },
  {
    id: "RBS-SUB-03",
    at: INFO,
    sentence: "media type (415), content (400), and then whatever the operation itself checks.",
    async check({ account, newLabel }) {
      const wrong = { Headless: true, KeepOpen: true, Label: newLabel() };
      expectRefusal(await account("no-subscription").open(wrong), "BadRequest", "/KeepOpen");
    },
  },
]);

/** @throws {Violation} When any operation other than Open and Query fails. */
export async function expectOtherOperationsWork(account: Account, { options, newLabel }: Run): Promise<void> {
  const address = unusedAddress();
  expectSuccess(await account.get());
  expectRefusal(await account.close(address), "BrowserNotFound");
  expectRefusal(await account.startDesktop(address), "BrowserNotFound");
  expectRefusal(await account.stopDesktop(address), "BrowserNotFound");
  if (!includes(options.contract, "1.1")) return;
  expectRefusal(await account.call("getBrowserInfo", { address }), "BrowserNotFound");
  expectRefusal(await account.call("waitForBrowser", { address }), "BrowserNotFound");
  expectRefusal(await account.call("updateBrowser", { address, keepOpen: 30 }), "BrowserNotFound");
  expectSuccess(await account.call("getBrowserHistory", { tag: newLabel() }));
  expectSuccess(await account.call("closeAllBrowsers", { label: newLabel() }));
  expectSuccess(await account.call("getAccount"));
}
