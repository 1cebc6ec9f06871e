import { GET, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectSuccess, expectThat } from "../../session/expect.ts";
import { CLOCKS_MS } from "./list-entries.ts";

/** Contents of the list. */
export const LIST_RULES = scenarios({ capability: "core" }, [
  {
    id: "RBS-LIST-01",
    level: "required",
    at: `${GET}/description`,
    sentence: "A browser appears as soon as its Open request has been answered",
    covers: ["getBrowsers 200", "Session.address"],
    opens: 1,
    async check({ main, newLabel }) {
      const Label = newLabel();
      const address = await main.openBrowser({ Headless: true, Label });
      const mine = (await main.listBrowsers()).find(({ label }) => label === Label);
      expectThat(mine !== undefined, "the browser to be listed as soon as Open responds", "a list without the browser");
      expectThat(mine.address === address, `the address that Open returned, ${address}`, mine.address);
    },
  },
  {
    id: "RBS-LIST-04",
    at: `${GET}/description`,
    sentence: "oldest first",
    opens: 3,
    isDetail: true,
    async check({ main, newLabel, prefix }) {
      // Labels are in descending order, so that a list sorted by label fails. Sorting by address passes in one of six
      // cases.
      const labels = ["c", "b", "a"].map((letter) => `${prefix}-${letter}-${newLabel()}`);
      const opened: string[] = [];
      for (const Label of labels) opened.push(await main.openBrowser({ Headless: true, Label }));
      const ours = (await main.listBrowsers()).filter(({ label }) => String(label).startsWith(prefix));
      for (const [at, { startedOn }] of ours.entries()) {
        const before = ours[at - 1]?.startedOn ?? startedOn;
        const isOrdered = Date.parse(String(before)) <= Date.parse(String(startedOn));
        expectThat(isOrdered, "a list ordered by startedOn", `${String(startedOn)} after ${String(before)}`);
      }
      const mine = ours.filter(({ address }) => opened.includes(address));
      const sorted = mine.toSorted((a, b) => opened.indexOf(a.address) - opened.indexOf(b.address));
      for (const [at, { startedOn }] of sorted.entries()) {
        const before = sorted[at - 1]?.startedOn ?? startedOn;
        // The clocks of the deployment's machines may differ.
        const isAfter = Date.parse(String(before)) - Date.parse(String(startedOn)) <= CLOCKS_MS;
        const expected = `the later browser to have started after ${String(before)}`;
        expectThat(isAfter, expected, String(startedOn));
      }
    },
  },
  {
    id: "RBS-LIST-07",
    at: schema("SessionList"),
    sentence: "This response has no `status`.",
    async check({ main }) {
      const body = expectSuccess(await main.get());
      expectThat(Array.isArray(body["sessions"]), "a list named sessions", "none");
      expectThat(!("status" in body), "sessions without a status member", `status ${String(body["status"])}`);
    },
  },
  {
    id: "RBS-LIST-08",
    level: "required",
    at: "#/components/schemas/SessionList/properties/sessions/description",
    sentence: "One element for each open browser",
    opens: 2,
    async check({ main, newLabel }) {
      const options = { Headless: true, Label: newLabel() };
      const opened = await Promise.all([main.openBrowser(options), main.openBrowser(options)]);
      const addresses = (await main.listBrowsers()).map(({ address }) => address);
      for (const address of opened) {
        const count = addresses.filter((each) => each === address).length;
        expectThat(count === 1, "each of two browsers with the same label to be listed once", `one ${count} times`);
      }
    },
  },
]);
