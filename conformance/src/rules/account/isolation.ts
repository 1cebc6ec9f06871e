import type { OperationId } from "@remote-browser/contract/operations";
import { knownIn } from "../../contract/versions.ts";
import { GET, INFO, response } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Account } from "../../session/account.ts";
import { expectStays } from "../../scenario/connections.ts";
import { expectEqual, expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import { callOn, REFERRING } from "../../scenario/referring.ts";
import { toObject } from "../../target/json.ts";
import { idOf, unknownAddress } from "../../target/addresses.ts";
import { cookieValues, openPage, pageUrls, setCookie } from "../../target/pages.ts";
import { connectDevtools } from "../../target/devtools.ts";

const URL_OF_PAGE = "data:text/plain,isolation";

/** Rules about the isolation of accounts and browsers. */
export const ISOLATION_RULES = scenarios({ capability: "isolation" }, [
  {
    id: "RBS-ISO-01",
    at: `${GET}/description`,
    sentence: "Browsers of other accounts are never shown.",
    needs: ["other-account"],
    async check({ main, account, shared }) {
      const address = await shared("headless");
      // List the browser's own account first, so that a faulty cache would return this list to the other account.
      const own = await main.find(address);
      expectThat(own !== undefined, "a browser to be listed for its account", "a list without the browser");
      const other = await account("other-account").find(address);
      expectThat(other === undefined, "no other account to list the browser", "a browser in another account's list");
    },
  },
  {
    id: "RBS-ISO-02",
    at: response("BrowserNotFound"),
    sentence: "It may be mistyped, closed already, or another account's",
    covers: REFERRING.map((operation) => `${operation} 404`),
    needs: ["other-account"],
    opens: 1,
    async check({ main, account, options }) {
      const address = await main.openBrowser();
      await using client = await connectDevtools(address);
      for (const operation of knownIn(options.contract, REFERRING)) {
        expectRefusal(await callOn(account("other-account"), operation, { address }), "BrowserNotFound");
      }
      await expectStays(client, 300, "the connection from the owner's client");
      expectThat((await main.find(address)) !== undefined, "the browser to remain open", "a list without the browser");
    },
  },
  {
    id: "RBS-ISO-03",
    at: response("BrowserNotFound"),
    sentence: "the response is the same for all three",
    covers: REFERRING.map((operation) => `${operation} 404`),
    needs: ["other-account"],
    opens: 1,
    async check({ main, account, shared, options }) {
      const others = await shared("headless");
      const closed = await main.openBrowser();
      expectSuccess(await main.close(closed));
      for (const operation of knownIn(options.contract, REFERRING)) {
        // Compare responses to the same account, because messages may differ between accounts. Skip Info and Wait,
        // which also find closed browsers.
        if (operation !== "getBrowserInfo" && operation !== "waitForBrowser") {
          await expectUnknown(main, operation, closed, "a closed browser's");
        }
        await expectUnknown(account("other-account"), operation, others, "another account's");
      }
    },
  },
  {
    id: "RBS-ISO-04",
    at: INFO,
    sentence: "Each browser has pages and cookies of its own.",
    opens: 1,
    async check({ main, shared, newLabel }) {
      await using mine = await connectDevtools(await main.openBrowser());
      await openPage(mine, URL_OF_PAGE);
      await setCookie(mine, "isolation", newLabel());
      await using other = await connectDevtools(await shared("headless"));
      const isSeen = (await pageUrls(other)).includes(URL_OF_PAGE);
      expectThat(!isSeen, "a browser to have only its own pages", "another browser's page");
      expectEqual("the cookie values that a second browser shows", await cookieValues(other, "isolation"), []);
    },
  },
]);

/** Returns the response without values that differ between requests. */
async function answerTo(account: Account, operation: OperationId, address: string): Promise<string> {
  const { received } = await callOn(account, operation, { address });
  const body = JSON.stringify({ ...toObject(received.json), requestId: "…" });
  return `${received.status} ${body.replaceAll(idOf(address), "…")}`;
}

/** @throws {Violation} When an unknown address receives a different response. @param whose The address's owner. */
async function expectUnknown(account: Account, operation: OperationId, address: string, whose: string): Promise<void> {
  const answer = await answerTo(account, operation, address);
  const unknown = await answerTo(account, operation, unknownAddress(address));
  expectThat(
    answer === unknown,
    `the same response for ${whose} address as for an unknown address, ${unknown}`,
    answer,
  );
}
