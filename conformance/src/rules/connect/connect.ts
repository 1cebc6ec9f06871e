import { randomBytes } from "node:crypto";
import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectAnswer, expectEnd, LATE_MS } from "../../scenario/connections.ts";
import { expectEqual, expectThat } from "../../session/expect.ts";
import { disconnect } from "../../scenario/inactivity.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { NoAnswer } from "../../target/no-answer.ts";
import { NotApplicable } from "../../target/violation.ts";
import { cookieValues, openPage, pageUrls, setCookie } from "../../target/pages.ts";

/** An expression for 5 MB of random digits, because a connection may compress messages. */
const LONG_TEXT = `Array.from({ length: 500_000 }, () => Math.random().toFixed(10).slice(2)).join("")`;
const URL_OF_PAGE = "data:text/plain,conformance";

/** Rules about how clients affect a browser and each other, and what a browser preserves without clients. */
export const CONNECT_RULES = scenarios({ capability: "core", at: INFO }, [
  {
    id: "RBS-CONNECT-01",
    sentence: "Several clients may be connected to one browser at the same time.",
    async check({ shared }) {
      const address = await shared("headless");
      await using first = await connectDevtools(address);
      await using second = await connectDevtools(address);
      await using third = await connectDevtools(address);
      await Promise.all([first, second, third, first].map(expectAnswer));
    },
  },
  {
    id: "RBS-CONNECT-02",
    sentence: "A client that disconnects leaves the browser running",
    opens: 1,
    async check({ main, sleep }) {
      const address = await main.openBrowser();
      const client = await connectDevtools(address);
      await expectAnswer(client);
      await disconnect(client);
      // Gives a faulty browser time to close.
      await sleep(500);
      expectThat((await main.find(address)) !== undefined, "the browser to remain open", "a list without the browser");
      await using again = await connectDevtools(address);
      await expectAnswer(again);
    },
  },
  {
    id: "RBS-CONNECT-03",
    sentence: "The DevTools command `Browser.close` ends the browser just as the Close operation does.",
    opens: 1,
    async check({ main, until }) {
      const address = await main.openBrowser();
      await using closer = await connectDevtools(address);
      await using other = await connectDevtools(address);
      // The browser may exit before it responds.
      await closer.command("Browser.close").catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
      });
      for (const client of [closer, other]) {
        await expectEnd(client, 1000, "browser closed: exited", "each client's connection");
      }
      const isGone = async (): Promise<boolean> => (await main.find(address)) === undefined;
      await until(isGone, (gone) => gone, LATE_MS, "the browser to be absent from the list");
    },
  },
  {
    id: "RBS-CONNECT-10",
    sentence: "Messages of up to 64 MiB pass in either direction.",
    since: "1.1",
    opens: 1,
    isDetail: true,
    async check({ main }) {
      await using devtools = await connectDevtools(await main.openBrowser());
      await using page = await openPage(devtools);
      const text = await page.evaluate(LONG_TEXT);
      expectEqual("the characters of a result of 5 MB", String(text).length, 5_000_000);
      const sent = randomBytes(1_500_000).toString("base64");
      expectEqual("the characters in a command of 2 MB", await page.evaluate(`"${sent}".length`), sent.length);
    },
  },
  {
    id: "RBS-CONNECT-09",
    sentence: "| 1011 | `browser closed: crashed` | it crashed |",
    opens: 1,
    isDetail: true,
    async check({ main }) {
      const address = await main.openBrowser();
      await using client = await connectDevtools(address);
      await using crasher = await connectDevtools(address);
      const outcome = await crasher.command("Browser.crash").catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
      });
      if (outcome !== undefined && "error" in outcome)
        throw new NotApplicable("The browsers don't support Browser.crash.");
      await expectEnd(client, 1011, "browser closed: crashed", "each client's connection");
    },
  },
  {
    id: "RBS-CONNECT-08",
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
      expectThat(isThere, "the page to be open after reconnecting", "a closed page");
      expectEqual("the cookie's values after reconnecting", await cookieValues(again, "conformance"), [value]);
    },
  },
]);
