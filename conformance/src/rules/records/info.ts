import { INFO, INFO_OF_BROWSER, schema } from "../pointers.ts";
import { Undecidable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectSuccess, expectThat } from "../../session/expect.ts";
import { quit } from "../../scenario/connections.ts";
import { CHROMIUM, HEADLESS_SHELL } from "../open/open-kinds.ts";
import { CLOCKS_MS } from "./list-entries.ts";
import { expectAccepted } from "../../scenario/opening.ts";
import { type BrowserRecord, infoOf, openNamed, reasonOf, sessionOf, timeOf } from "../../scenario/records.ts";

/** Members that Get and Info share, except the number of clients, which may be outdated in either response. */
const IN_BOTH = [
  ...["startedOn", "label", "address", "vncpass", "id", "browser", "headless", "tags", "keepOpen", "closesOn"],
  "desktop",
];

/** The empty values that some members have after a browser has ended. */
const GONE: BrowserRecord = { address: null, vncpass: null, closesOn: null, clients: 0, desktop: false };

/** Info's description of a browser. */
export const INFO_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-INFO-01",
    at: `${INFO_OF_BROWSER}/description`,
    sentence:
      "Shows one browser of this account, open or ended: its state, why it ended, what it has consumed, and its options.",
    covers: ["getBrowserInfo 200"],
    opens: 1,
    async check(run) {
      const Label = run.newLabel();
      const options = { Label, Tags: ["info", Label], KeepOpen: 77 };
      const { address, id } = await openNamed(run, options);
      const { Browser = CHROMIUM } = run.lightest;
      const expected: BrowserRecord = {
        ...{ id, address, state: "open", endedOn: null, reason: null, vncpass: null, desktop: false },
        ...{ label: Label, tags: options.Tags, keepOpen: 77, headless: true },
        browser: Browser,
      };
      const byId = await infoOf(run.main, { id });
      for (const [member, value] of Object.entries(expected)) expectEqual(member, byId[member], value);
      const byAddress = await infoOf(run.main, { address });
      expectEqual("startedOn by address", byAddress["startedOn"], byId["startedOn"]);
      const listed = await sessionOf(run.main, address);
      for (const member of IN_BOTH) expectEqual(`${member} in Get's list`, listed[member], byId[member]);
    },
  },
  {
    id: "RBS-INFO-02",
    at: schema("BrowserRecord"),
    sentence: "What does not exist any more when a browser has ended is `null` or 0.",
    covers: ["getBrowserInfo 200"],
    opens: 1,
    async check(run) {
      const Label = run.newLabel();
      const { address, id } = await openNamed(run, { Label, Tags: ["ended"], KeepOpen: 78 });
      const before = await infoOf(run.main, { id });
      expectSuccess(await run.main.close(address));
      const kept = ["id", "startedOn", "label", "tags", "browser", "headless", "keepOpen"];
      for (const browser of [{ id }, { address }]) {
        const after = await infoOf(run.main, browser);
        for (const [member, value] of Object.entries({ ...GONE, state: "closed", reason: "requested" })) {
          expectEqual(`${member} of an ended browser`, after[member], value);
        }
        for (const member of kept) expectEqual(`${member} of an ended browser`, after[member], before[member]);
      }
    },
  },
  {
    id: "RBS-INFO-03",
    at: schema("BrowserRecord", "endedOn"),
    sentence: "When it ended, as `startedOn`; `null` while it is open.",
    opens: 1,
    waitsS: 1,
    async check(run) {
      const { address, id } = await openNamed(run);
      await run.sleep(300);
      const closing = await run.main.close(address);
      const { startedOn, endedOn } = await infoOf(run.main, { id });
      const [started, ended] = [timeOf("startedOn", startedOn), timeOf("endedOn", endedOn)];
      // The browser was open for at least this long according to its machine's clock.
      expectThat(ended - started >= 250, `endedOn to be after startedOn, ${String(startedOn)}`, String(endedOn));
      const closed = Date.parse(closing.received.headers["date"] ?? "") || closing.endedAt;
      const isThen = Math.abs(ended - closed) <= CLOCKS_MS;
      expectThat(isThen, `endedOn to be the time of Close, about ${new Date(closed).toISOString()}`, String(endedOn));
      const again = await infoOf(run.main, { id });
      expectEqual("endedOn when the request is repeated", again["endedOn"], endedOn);
    },
  },
  {
    id: "RBS-INFO-04",
    at: schema("BrowserRecord", "reason"),
    sentence: "Why it ended; `null` while it is open. The values are those of the close reasons",
    opens: 2,
    isDetail: true,
    async check(run) {
      const closed = await openNamed(run);
      expectEqual("the reason while the browser is open", (await infoOf(run.main, { id: closed.id }))["reason"], null);
      expectSuccess(await run.main.close(closed.address));
      expectEqual("the reason after Close", (await infoOf(run.main, { id: closed.id }))["reason"], "requested");
      const exited = await openNamed(run);
      await quit(exited.address);
      expectEqual("the reason in Wait after Browser.close", await reasonOf(run.main, exited.id), "exited");
      expectEqual("the reason after Browser.close", (await infoOf(run.main, { id: exited.id }))["reason"], "exited");
    },
  },
  {
    id: "RBS-INFO-05",
    capability: "idle",
    at: schema("BrowserRecord", "reason"),
    sentence: "Why it ended; `null` while it is open. The values are those of the close reasons",
    opens: 1,
    waitsS: 2,
    async check(run) {
      const { id } = await openNamed(run, { KeepOpen: 1 });
      expectEqual("the reason in Wait after the inactivity period", await reasonOf(run.main, id, 10), "inactive");
      expectEqual("the reason after the inactivity period", (await infoOf(run.main, { id }))["reason"], "inactive");
    },
  },
  {
    id: "RBS-INFO-06",
    at: schema("BrowserRecord", "units"),
    sentence: "The units that it has consumed so far.",
    opens: 1,
    isDetail: true,
    async check(run) {
      const { address, id } = await openNamed(run);
      const opened = Date.now();
      const open = await infoOf(run.main, { id });
      expectSuccess(await run.main.close(address));
      const ended = await infoOf(run.main, { id });
      // A unit is charged on opening and after every full minute.
      if (Date.now() - opened > NEARLY_A_MINUTE_MS) {
        throw new Undecidable("The deployment is too slow, so the units can't be counted.");
      }
      expectEqual("the units of a newly opened browser", open["units"], 1);
      expectEqual("the units of a browser that was open for less than a minute", ended["units"], 1);
    },
  },
  {
    id: "RBS-INFO-08",
    at: INFO,
    sentence: "charged when it opens and at every full minute after that",
    opens: 1,
    waitsS: 62,
    async check(run) {
      const { id } = await openNamed(run, { KeepOpen: 120 });
      const units = async (): Promise<unknown> => (await infoOf(run.main, { id }))["units"];
      await run.sleep(MINUTE_MS);
      await run.until(units, (seen) => seen === 2, LATE_CHARGE_MS, "2 units after a full minute");
    },
  },
  {
    id: "RBS-INFO-07",
    at: schema("BrowserRecord", "headless"),
    sentence: "Whether it runs without a graphical interface.",
    opens: 1,
    isDetail: true,
    async check(run) {
      const headless = await infoOf(run.main, { address: await run.shared("headless") });
      expectEqual("headless for a headless browser", headless["headless"], true);
      if (run.lacks("graphical")) return;
      const graphical = await infoOf(run.main, { address: await run.shared("graphical") });
      expectEqual("headless for a graphical browser", graphical["headless"], false);
      // This kind always runs headless, whatever the request specifies.
      const address = await expectAccepted(run, { Browser: HEADLESS_SHELL, Headless: false });
      const shell = await infoOf(run.main, { address });
      expectEqual("headless for a ChromeHeadlessShell opened with Headless false", shell["headless"], true);
      expectEqual("browser for a ChromeHeadlessShell", shell["browser"], HEADLESS_SHELL);
    },
  },
]);

/** Just under a minute. An open browser uses another unit every minute. */
const NEARLY_A_MINUTE_MS = 55_000;
const MINUTE_MS = 60_000;
/** A deployment may charge a few seconds late. */
const LATE_CHARGE_MS = 15_000;
