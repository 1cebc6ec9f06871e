import { GET, INFO, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectRefusal } from "../../session/expect.ts";
import { expectGoneAfter, expectOpenFor, openIdle } from "../../scenario/inactivity.ts";
import { tryHandshake } from "../../target/handshake.ts";

/** Rules about how browsers without clients close. */
export const IDLE_RULES = scenarios({ capability: "idle", opens: 1 }, [
  {
    id: "RBS-IDLE-01",
    at: schema("OpenOptions", "KeepOpen"),
    sentence: "How many **seconds** the browser stays open while no client is connected.",
    covers: ["OpenOptions.KeepOpen"],
    waitsS: 3,
    async check(run) {
      const browser = await openIdle(run, 2);
      await expectGoneAfter(run, browser, browser, "a browser with KeepOpen 2 to close after its inactivity period");
    },
  },
  {
    id: "RBS-IDLE-02",
    at: INFO,
    sentence: "It begins when the browser opens",
    covers: ["OpenOptions.KeepOpen"],
    waitsS: 5,
    async check(run) {
      // The rule measures the period from the start of Open, so the period must be longer than a slow Open takes.
      const browser = await openIdle(run, 5);
      await expectOpenFor(run, browser, browser, "a browser with KeepOpen 5 to stay open for 5 s");
    },
  },
  {
    id: "RBS-IDLE-11",
    at: `${GET}/description`,
    sentence: "disappears when it closes, for whatever reason",
    covers: ["closeBrowser 404", "startRemoteDesktop 404", "stopRemoteDesktop 404"],
    waitsS: 2,
    async check(run) {
      const browser = await openIdle(run, 1);
      await expectGoneAfter(run, browser, browser, "a browser with KeepOpen 1 to be removed from the list");
      expectRefusal({ received: await tryHandshake(browser.address) }, "BrowserNotFound");
      expectRefusal(await run.main.startDesktop(browser.address), "BrowserNotFound");
      expectRefusal(await run.main.stopDesktop(browser.address), "BrowserNotFound");
      expectRefusal(await run.main.close(browser.address), "BrowserNotFound");
    },
  },
]);
