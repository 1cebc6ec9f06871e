import { INFO } from "../../registry/pointers.ts";
import type { ScenarioRule } from "../../registry/rule.ts";
import { expectEqual, expectThat } from "../../run/expect.ts";
import { disconnect } from "../../run/inactivity.ts";
import { cookieValues, openPage, pageUrls, setCookie } from "../../target/pages.ts";
import { connectDevtools } from "../../target/devtools.ts";

const URL_OF_PAGE = "data:text/plain,conformance";

/** Pages and cookies while no client is connected. */
export const CONNECT_PAGE_RULES: readonly ScenarioRule[] = [
  {
    kind: "scenario",
    id: "RBS-CONNECT-08",
    level: "decision",
    capability: "core",
    at: INFO,
    sentence: "with its pages and cookies, and may come back later through the same address",
    opens: 1,
    async check({ main, newLabel }) {
      const address = await main.openBrowser();
      const value = newLabel();
      const client = await connectDevtools(address);
      await openPage(client, URL_OF_PAGE);
      await setCookie(client, "conformance", value);
      await disconnect(client);
      await using again = await connectDevtools(address);
      const isThere = (await pageUrls(again)).includes(URL_OF_PAGE);
      expectThat(isThere, "the page to be there after reconnecting", "that it is gone");
      expectEqual("the cookie after reconnecting", await cookieValues(again, "conformance"), [value]);
    },
  },
];
