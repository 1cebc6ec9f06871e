import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectSuccess, expectThat, show } from "../../session/expect.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { expectViewerAdmitted, toAccess } from "../../scenario/desktop-access.ts";
import {
  expectClosesAfter,
  infoOf,
  maxLifetimeOf,
  openNamed,
  sessionOf,
  timeOf,
  untilClients,
} from "../../scenario/records.ts";

/** How long a client stays connected: long enough that the restarted period ends noticeably later. */
const HELD_MS = 1500;
const DEFAULT_KEEP_OPEN_S = 30;

/** Members of Get's list and of records that change while a browser is open. */
export const CHANGING_MEMBER_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-LIST-09",
    at: schema("Session", "keepOpen"),
    sentence: "How many seconds it stays open while no client is connected; `null` if that is not limited.",
    opens: 2,
    isDetail: true,
    async check(run) {
      const { main } = run;
      const given = await openNamed(run, { KeepOpen: 90.5 });
      expectEqual("keepOpen for KeepOpen 90.5", (await sessionOf(main, given.address))["keepOpen"], 90.5);
      const usual = await openNamed(run, { KeepOpen: undefined });
      expectEqual("keepOpen without KeepOpen", (await infoOf(main, { id: usual.id }))["keepOpen"], DEFAULT_KEEP_OPEN_S);
    },
  },
  {
    id: "RBS-LIST-10",
    at: schema("Session", "keepOpen"),
    sentence: "0 and values above the maximum lifetime of the account's plan are listed as that maximum.",
    opens: 2,
    atOnce: 1,
    isLong: true,
    async check(run) {
      const maximum = await maxLifetimeOf(run.main);
      // If the run is killed, these browsers stay open, so only the `full` profile opens them.
      for (const KeepOpen of [0, 1e15]) {
        const { address, id } = await openNamed(run, { KeepOpen });
        const { keepOpen } = await infoOf(run.main, { id });
        expectSuccess(await run.main.close(address));
        // Without a maximum, a very long period may be listed unchanged.
        const isRight = keepOpen === maximum || (maximum === null && KeepOpen > 0 && keepOpen === KeepOpen);
        expectThat(isRight, `keepOpen ${show(maximum)} for KeepOpen ${KeepOpen}`, show(keepOpen));
      }
    },
  },
  {
    id: "RBS-LIST-11",
    at: schema("Session", "closesOn"),
    sentence:
      "When it closes if nothing happens before, as `startedOn`: at the end of its inactivity period or of its lifetime, whichever comes first.",
    opens: 2,
    isDetail: true,
    async check(run) {
      const long = await openNamed(run, { KeepOpen: 90 });
      const short = await openNamed(run, { KeepOpen: 90, Lifetime: 40 });
      expectClosesAfter(await sessionOf(run.main, long.address), 90);
      expectClosesAfter(await sessionOf(run.main, short.address), 40);
    },
  },
  {
    id: "RBS-LIST-12",
    at: schema("Session", "closesOn"),
    sentence: "`null` if neither is limited, or if a client is connected and the lifetime is not limited.",
    opens: 2,
    waitsS: 2,
    async check(run) {
      const maximum = await maxLifetimeOf(run.main);
      const usual = await openNamed(run, { KeepOpen: 60 });
      const limited = await openNamed(run, { KeepOpen: 60, Lifetime: 100 });
      {
        await using _ = await connectDevtools(usual.address);
        await using __ = await connectDevtools(limited.address);
        const connected = await untilClients(run, usual, 1);
        if (maximum === null) expectEqual("closesOn while a client is connected", connected["closesOn"], null);
        else expectClosesAfter(connected, maximum);
        expectClosesAfter(await untilClients(run, limited, 1), 100);
        await run.sleep(HELD_MS);
      }
      // The period restarts when the client disconnects.
      const { startedOn, closesOn } = await untilClients(run, usual, 0);
      const after = timeOf("closesOn", closesOn) - timeOf("startedOn", startedOn);
      const isLater = after > 60_000 + HELD_MS / 2;
      expectThat(isLater, "closesOn 60 s after the client disconnected", `${after / 1000} s after startedOn`);
    },
  },
  {
    id: "RBS-LIST-13",
    at: schema("Session", "clients"),
    sentence: "How many DevTools clients and viewers of its desktop are connected. It may be 5 seconds old.",
    opens: 1,
    waitsS: 3,
    async check(run) {
      const browser = await openNamed(run);
      {
        await using _ = await connectDevtools(browser.address);
        await untilClients(run, browser, 1);
        await using __ = await connectDevtools(browser.address);
        await untilClients(run, browser, 2);
      }
      await untilClients(run, browser, 0);
    },
  },
  {
    id: "RBS-LIST-14",
    capability: "desktop",
    at: schema("Session", "desktop"),
    sentence: "Whether its remote desktop is started.",
    waitsS: 3,
    async check(run) {
      const { main } = run;
      await using lease = await run.leaseBrowser();
      const { address } = lease;
      const { id } = await infoOf(main, { address });
      const expectDesktop = async (when: string, password: unknown): Promise<void> => {
        for (const shown of [await sessionOf(main, address), await infoOf(main, { id })]) {
          expectEqual(`desktop ${when}`, shown["desktop"], password !== null);
          expectEqual(`vncpass ${when}`, shown["vncpass"], password);
        }
      };
      await expectDesktop("before Start", null);
      const started = toAccess(expectSuccess(await main.startDesktop(address)));
      await expectDesktop("after Start", started.password);
      {
        await using _ = await expectViewerAdmitted(started.rfbUrl, started.password, "`password`");
        await untilClients(run, { address, id: String(id) }, 1);
      }
      expectSuccess(await main.stopDesktop(address));
      await expectDesktop("after Stop", null);
    },
  },
]);
