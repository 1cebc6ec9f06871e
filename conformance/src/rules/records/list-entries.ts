import { schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import type { Account, ListedBrowser } from "../../session/account.ts";
import { expectEqual, expectSuccess, expectThat, show } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { Undecidable } from "../../target/violation.ts";
import { disconnect } from "../../scenario/inactivity.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { timeOf } from "../../scenario/records.ts";
import { start } from "../../scenario/desktop-access.ts";

/** Tolerance for clock differences between the deployment's machines. */
export const CLOCKS_MS = 60_000;

/** Members of a list entry. */
export const LIST_ENTRY_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-LIST-02",
    at: schema("Session", "startedOn"),
    sentence: "When the browser was opened: RFC 3339 in UTC with milliseconds, such as `2026-03-14T09:26:53.589Z`.",
    covers: ["Session.startedOn"],
    opens: 1,
    async check(run) {
      const address = await run.main.openBrowser();
      const { startedOn } = await findListed(run.main, address);
      const opened = openedAt(run);
      const isThen = Math.abs(timeOf("startedOn", startedOn) - opened) <= CLOCKS_MS;
      const expected = `startedOn to be the time of Open, about ${new Date(opened).toISOString()}`;
      expectThat(isThen, expected, String(startedOn));
    },
  },
  {
    id: "RBS-LIST-03",
    at: schema("Session", "label"),
    sentence: "The label given when the browser was opened; `null` if there was none.",
    covers: ["Session.label"],
    opens: 1,
    async check({ main, shared, prefix }) {
      const unlabelled = await findListed(main, await main.openBrowser({ Headless: true, Label: undefined }));
      expectEqual("the label of a browser that was opened without a label", unlabelled.label, null);
      const { label } = await findListed(main, await shared("headless"));
      const isGiven = typeof label === "string" && label.startsWith(prefix);
      expectThat(isGiven, `the label passed to Open, which begins with ${prefix}`, show(label));
    },
  },
  {
    id: "RBS-LIST-05",
    at: schema("BrowserAddress"),
    sentence:
      "The address is created once, when the browser opens, and is listed unchanged, byte for byte, until the browser closes.",
    covers: ["Session.address"],
    async check(run) {
      const address = await run.shared("headless");
      const before = await run.main.find(address);
      await disconnect(await connectDevtools(address));
      const after = await run.main.find(address);
      const isListed = before !== undefined && after !== undefined;
      expectThat(isListed, "the browser to be listed with the address that Open returned", "an unlisted browser");
      expectEqual("startedOn after a client connected", after.startedOn, before.startedOn);
    },
  },
  {
    id: "RBS-LIST-06",
    capability: "desktop",
    at: schema("Session", "vncpass"),
    sentence: "`null` while the desktop is stopped",
    covers: ["Session.vncpass"],
    async check({ main, shared, leaseBrowser }) {
      await using lease = await leaseBrowser();
      const { address } = lease;
      expectEqual("vncpass before Start", (await findListed(main, address)).vncpass, null);
      await start(main, address);
      // List the password first, so that a faulty cache would retain it.
      await findListed(main, address);
      expectSuccess(await main.stopDesktop(address));
      expectEqual("vncpass after Stop", (await findListed(main, address)).vncpass, null);
      expectEqual("vncpass for a headless browser", (await findListed(main, await shared("headless"))).vncpass, null);
    },
  },
]);

/** @throws {Undecidable} If the browser is not listed. Another rule checks that. */
async function findListed(account: Account, address: string): Promise<ListedBrowser> {
  const found = await account.find(address);
  if (found === undefined) throw new Undecidable("The browser is not listed, so its list entry can't be checked.");
  return found;
}

/** Returns the time of the response to the run's only Open: its Date header, or else the local time. */
function openedAt({ exchanges }: Run): number {
  const opening = exchanges.findLast(({ operation }) => operation === "openBrowser");
  const date = Date.parse(opening?.received.headers["date"] ?? "");
  return Number.isNaN(date) ? (opening?.endedAt ?? Date.now()) : date;
}
