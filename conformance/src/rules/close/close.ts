import { CLOSE, INFO } from "../pointers.ts";
import { Undecidable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { expectEnd, expectStays, LATE_MS } from "../../scenario/connections.ts";
import { expectRefusal, expectSuccess, expectThat } from "../../session/expect.ts";
import { connectBriefly, expectViewerRefused, start } from "../../scenario/desktop-access.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { tryHandshake } from "../../target/handshake.ts";

/** Rules about how Close affects a browser, its desktop and other browsers. */
export const CLOSE_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-CLOSE-01",
    level: "required",
    at: `${CLOSE}/description`,
    sentence: "Once the call has returned, the browser no longer appears in the list",
    covers: ["closeBrowser 200"],
    opens: 1,
    async check({ main }) {
      const address = await main.openBrowser();
      const isListed = (await main.find(address)) !== undefined;
      expectSuccess(await main.close(address));
      // RBS-LIST-01 checks whether an open browser is listed.
      if (!isListed) throw new Undecidable("The browser was not listed while it was open.");
      expectThat((await main.find(address)) === undefined, "the browser not to be listed", "a listed browser");
    },
  },
  {
    id: "RBS-CLOSE-02",
    at: `${CLOSE}/description`,
    sentence: "Closing the same address again returns 404 `BrowserNotFound`.",
    covers: ["closeBrowser 404"],
    opens: 1,
    async check({ main }) {
      const address = await main.openBrowser();
      expectSuccess(await main.close(address));
      expectRefusal(await main.close(address), "BrowserNotFound");
    },
  },
  {
    id: "RBS-CLOSE-04",
    at: INFO,
    sentence: "it stops working when the browser closes",
    opens: 1,
    async check({ main, until }) {
      const address = await main.openBrowser();
      expectSuccess(await main.close(address));
      const expected = "a closed browser's address to reject connections";
      const received = await until(
        () => tryHandshake(address),
        ({ status }) => status !== 101,
        LATE_MS,
        expected,
      );
      expectRefusal({ received }, "BrowserNotFound");
    },
  },
  {
    id: "RBS-CLOSE-05",
    at: INFO,
    sentence: "each connection is closed with an RFC 6455 close code and a reason",
    opens: 1,
    async check({ main }) {
      const address = await main.openBrowser();
      await using first = await connectDevtools(address);
      await using second = await connectDevtools(address);
      expectSuccess(await main.close(address));
      for (const client of [first, second]) {
        await expectEnd(client, 1000, "browser closed: requested", "each client's connection");
      }
    },
  },
  {
    id: "RBS-CLOSE-07",
    level: "required",
    at: `${CLOSE}/description`,
    sentence: "No other browser is touched.",
    opens: 2,
    async check({ main, newLabel }) {
      const options = { Headless: true, Label: newLabel() };
      const [first, second] = [await main.openBrowser(options), await main.openBrowser(options)];
      await using client = await connectDevtools(second);
      expectSuccess(await main.close(first));
      await expectStays(client, 300, "a connection to another browser");
      const isThere = (await main.find(second)) !== undefined;
      expectThat(isThere, "another browser with the same label to remain open", "two closed browsers");
    },
  },
  {
    id: "RBS-CLOSE-08",
    capability: "desktop",
    at: `${CLOSE}/description`,
    sentence: "its remote desktop stops",
    opens: 1,
    isDetail: true,
    async check({ main }) {
      const address = await main.openBrowser({ Headless: false });
      const access = await start(main, address);
      await connectBriefly(access);
      // A viewer's disconnect doesn't stop the desktop, so Close must stop it.
      expectSuccess(await main.close(address));
      await expectViewerRefused(access.rfbUrl, access.password, "the desktop of a closed browser to reject viewers");
      expectRefusal(await main.startDesktop(address), "BrowserNotFound");
    },
  },
]);
