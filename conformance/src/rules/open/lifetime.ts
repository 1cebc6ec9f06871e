import { INFO, schema } from "../pointers.ts";
import { NotApplicable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { expectEnd, expectStays } from "../../scenario/connections.ts";
import { expectEqual, expectThat } from "../../session/expect.ts";
import { connectWhileOpen } from "../../scenario/inactivity.ts";
import type { Run } from "../../session/run.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { LIMITED, onLimited } from "../../scenario/exclusive-account.ts";
import { expectRefused } from "../../scenario/opening.ts";
import {
  expectClosesAfter,
  infoOf,
  maxLifetimeOf,
  openAccepted,
  openNamed,
  reasonOf,
  untilClients,
} from "../../scenario/records.ts";

const MAXIMUM = "0, and every value above that maximum, mean the maximum.";
/** How early a browser may close before its lifetime ends. */
const EARLY_MS = 300;

/**
 * In milliseconds, these values overflow signed and unsigned 32-bit integers, and exceed the maximum date. Timers that
 * overflow fire within three seconds.
 */
export const HUGE_S = [2_147_484, 4_294_970, 1e15];

/** Rules about the maximum lifetime of browsers. */
export const LIFETIME_RULES = scenarios({ capability: "core", since: "1.1", at: schema("OpenOptions", "Lifetime") }, [
  {
    id: "RBS-LIFE-01",
    sentence: "How many **seconds** after its opening the browser is closed, even if clients are connected.",
    covers: ["OpenOptions.Lifetime"],
    opens: 1,
    waitsS: 3,
    isLong: true,
    async check(run) {
      const { id, address, openedBy } = await openTimed(run, { Lifetime: 3 });
      await using client = await connectWhileOpen({ address, keepOpenMs: 3000, from: openedBy, to: openedBy });
      const leftMs = openedBy + 3000 - EARLY_MS - Date.now();
      if (leftMs > 0) await expectStays(client, leftMs, "the connection to a browser with Lifetime 3");
      await expectEnd(client, 1000, "browser closed: lifetime", "the connection to a browser with Lifetime 3");
      expectEqual("the close reason of a browser that reached its Lifetime", await reasonOf(run.main, id), "lifetime");
      expectEqual("the close reason in Info", (await infoOf(run.main, { id }))["reason"], "lifetime");
      expectThat((await run.main.find(address)) === undefined, "the browser not to be listed", "a listed browser");
    },
  },
  {
    id: "RBS-LIFE-02",
    at: INFO,
    sentence: "A browser that reaches it is closed, even while clients are connected.",
    opens: 2,
    waitsS: 3,
    isLong: true,
    async check(run) {
      const used = await openTimed(run, { Lifetime: 3 });
      const { address, openedBy } = used;
      const opened = { address, keepOpenMs: 3000, from: openedBy, to: openedBy };
      await using _ = await connectWhileOpen(opened);
      await using __ = await connectWhileOpen(opened);
      const unused = await openTimed(run, { Lifetime: 1 });
      for (const [whose, { id }] of Object.entries({ "with clients": used, "without clients": unused })) {
        const what = `the close reason of a browser ${whose} that reached its Lifetime`;
        expectEqual(what, await reasonOf(run.main, id, 7), "lifetime");
      }
    },
  },
  {
    id: "RBS-LIFE-03",
    sentence: "Fractions are allowed.",
    covers: ["OpenOptions.Lifetime"],
    opens: 2,
    waitsS: 3,
    isLong: true,
    async check(run) {
      // Rounding Lifetime down would keep the first browser open (0 means the maximum) and close the second after 2 s.
      const brief = await openTimed(run, { Lifetime: 0.4 });
      const longer = await openTimed(run, { Lifetime: 2.9 });
      expectEqual("the close reason of a browser with Lifetime 0.4", await reasonOf(run.main, brief.id), "lifetime");
      await run.sleep(Math.max(0, longer.openedBy + 2900 - EARLY_MS - Date.now()));
      const { state } = await infoOf(run.main, { id: longer.id });
      // A later response may correctly show that the browser has closed.
      if (Date.now() < longer.openedBy + 2900) {
        expectEqual("the state of a browser with Lifetime 2.9 after 2.6 s", state, "open");
      }
      expectEqual("the close reason of a browser with Lifetime 2.9", await reasonOf(run.main, longer.id), "lifetime");
    },
  },
  {
    id: "RBS-LIFE-04",
    sentence: MAXIMUM,
    covers: ["OpenOptions.Lifetime"],
    opens: HUGE_S.length + 1,
    waitsS: 2,
    isLong: true,
    async check(run) {
      const maximum = await maxLifetimeOf(run.main);
      const browsers = await Promise.all([0, ...HUGE_S].map((Lifetime) => openAccepted(run, { Lifetime })));
      await run.sleep(2000);
      for (const [at, { address, id }] of browsers.entries()) {
        const how = `with Lifetime ${[0, ...HUGE_S][at]}`;
        await using _ = await connectDevtools(address);
        const shown = await untilClients(run, { address, id }, 1);
        expectEqual(`the state of a browser ${how}`, shown["state"], "open");
        if (maximum !== null && maximum < (HUGE_S[0] ?? 0)) expectClosesAfter(shown, maximum);
        else if (at === 0) expectEqual(`closesOn ${how} while a client is connected`, shown["closesOn"], maximum);
      }
    },
  },
  {
    id: "RBS-LIFE-05",
    sentence: "By default, it is the maximum lifetime of the account's plan.",
    covers: ["OpenOptions.Lifetime"],
    opens: 2,
    waitsS: 1,
    async check(run) {
      const maximum = await maxLifetimeOf(run.main);
      for (const Lifetime of [undefined, null]) {
        const { address, id } = await openNamed(run, { Lifetime });
        await using _ = await connectDevtools(address);
        const shown = await untilClients(run, { address, id }, 1);
        if (maximum === null)
          expectEqual("closesOn without Lifetime while a client is connected", shown["closesOn"], null);
        else expectClosesAfter(shown, maximum);
      }
    },
  },
  {
    id: "RBS-LIFE-06",
    sentence: "A negative number is a `BadRequest`.",
    covers: ["openBrowser 400", "OpenOptions.Lifetime"],
    async check(run) {
      for (const Lifetime of [-1, -0.5, true, "30", [30], {}]) await expectRefused(run, { Lifetime }, "/Lifetime");
      await expectRefused(run, { lifetime: -1 }, "/lifetime");
    },
  },
  {
    id: "RBS-LIFE-07",
    ...LIMITED,
    sentence: MAXIMUM,
    covers: ["OpenOptions.Lifetime"],
    isDetail: true,
    check: (run) =>
      onLimited(run, async (account, first) => {
        const maximum = await maxLifetimeOf(account);
        await account.close(first);
        if (maximum === null) throw new NotApplicable("The limited account's plan has no maximum lifetime.");
        for (const Lifetime of [0, maximum + 1000]) {
          const { id, address } = await openNamed(run, { Lifetime, KeepOpen: 0 }, account);
          await using _ = await connectDevtools(address);
          const shown = await untilClients(run, { address, id }, 1, account);
          await account.close(address);
          // While a client is connected, only the lifetime can close the browser.
          expectClosesAfter(shown, maximum);
          expectEqual("keepOpen for KeepOpen 0", shown["keepOpen"], maximum);
        }
      }),
  },
]);

/**
 * Opens a browser. @returns The browser, and the earliest time at which it can have opened: just before the request.
 */
async function openTimed(run: Run, options: object): Promise<{ id: string; address: string; openedBy: number }> {
  const openedBy = Date.now();
  return { ...(await openAccepted(run, options)), openedBy };
}
