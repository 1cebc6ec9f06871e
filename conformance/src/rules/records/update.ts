import { UPDATE, schema } from "../pointers.ts";
import { NotApplicable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectRefusal, expectThat } from "../../session/expect.ts";
import { connectDevtools } from "../../target/devtools.ts";
import { LIMITED, onLimited } from "../../scenario/exclusive-account.ts";
import {
  type BrowserRecord,
  expectClosesAfter,
  infoOf,
  maxLifetimeOf,
  openNamed,
  reasonOf,
  sessionOf,
  timeOf,
  untilClients,
  unusedId,
  update,
} from "../../scenario/records.ts";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../open/tags.ts";

const DESCRIPTION = `${UPDATE}/description`;
const VALUES = ["keepOpen", "lifetime", "label", "tags"];
/** Tolerance for differences between timestamps computed by the same server. */
const EXACT_MS = 250;

/** Changes to an open browser. */
export const UPDATE_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-UPDATE-01",
    at: DESCRIPTION,
    sentence: "Changes the inactivity period, the lifetime, the label or the tags of an open browser.",
    covers: ["updateBrowser 200", ...VALUES.map((value) => `UpdateRequest.${value}`)],
    opens: 2,
    async check(run) {
      const { main } = run;
      const { address, id } = await openNamed(run, { Tags: ["before"], KeepOpen: 60 });
      const other = await openNamed(run, { Tags: ["before"], KeepOpen: 60 });
      const untouched = await infoOf(main, { id: other.id });
      const label = `${run.newLabel()} é`;
      const expectShown = async (answer: BrowserRecord, expected: BrowserRecord): Promise<void> => {
        const shown = [answer, await infoOf(main, { id }), await sessionOf(main, address)];
        for (const [member, value] of Object.entries({ id, ...expected })) {
          for (const each of shown) expectEqual(`${member} after Update`, each[member], value);
        }
      };
      const first = await update(main, { address }, { keepOpen: 95.5, label, tags: ["é", "after", "after"] });
      expectEqual("the state in Update's response", first["state"], "open");
      await expectShown(first, { keepOpen: 95.5, label, tags: ["é", "after", "after"] });
      expectClosesAfter(first, 95.5);
      const second = await update(main, { id }, { lifetime: 50 });
      expectClosesAfter(second, 50);
      await expectShown(second, { closesOn: second["closesOn"] });
      await expectShown(await update(main, { id }, { tags: [] }), { tags: [], label });
      const after = await infoOf(main, { id: other.id });
      for (const member of ["keepOpen", "label", "tags", "closesOn"]) {
        expectEqual(`${member} of another browser`, after[member], untouched[member]);
      }
    },
  },
  {
    id: "RBS-UPDATE-02",
    at: DESCRIPTION,
    sentence: "The values are absolute, so repeating the call is safe.",
    covers: ["updateBrowser 200"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { id } = await openNamed(run, { KeepOpen: 60, Tags: ["a"] });
      const values = { keepOpen: 80, lifetime: 70, tags: ["b"] };
      const first = await update(run.main, { id }, values);
      const second = await update(run.main, { id }, values);
      for (const member of ["keepOpen", "closesOn", "tags", "label"]) {
        expectEqual(`${member} when Update is repeated`, second[member], first[member]);
      }
      expectClosesAfter(second, 70);
    },
  },
  {
    id: "RBS-UPDATE-03",
    at: schema("UpdateRequest"),
    sentence: "one without a new value, is a `BadRequest`",
    covers: ["updateBrowser 400"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { address, id } = await openNamed(run);
      const nulls = { keepOpen: null, lifetime: null, label: null, tags: null };
      for (const browser of [{ id }, { address }, { id: unusedId() }]) {
        expectRefusal(await run.main.call("updateBrowser", browser), "BadRequest", "");
        expectRefusal(await run.main.call("updateBrowser", { ...browser, ...nulls }), "BadRequest", "");
        expectRefusal(await run.main.call("updateBrowser", { ...browser, LABEL: "x" }), "BadRequest", "");
      }
    },
  },
  {
    id: "RBS-UPDATE-04",
    at: schema("UpdateRequest"),
    sentence: "A value that is omitted or `null` stays as it is.",
    covers: ["updateBrowser 200", ...VALUES.map((value) => `UpdateRequest.${value}`)],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { id } = await openNamed(run, { KeepOpen: 90, Lifetime: 80, Tags: ["stays"] });
      const before = await infoOf(run.main, { id });
      const expectOnly = (after: BrowserRecord, changed: string): void => {
        for (const member of ["keepOpen", "closesOn", "label", "tags"]) {
          if (member !== changed) expectEqual(`the unchanged ${member}`, after[member], before[member]);
        }
      };
      const label = run.newLabel();
      const named = await update(run.main, { id }, { label, keepOpen: null, lifetime: null, tags: null });
      expectEqual("the new label", named["label"], label);
      expectOnly(named, "label");
      expectEqual("the new tags", (await update(run.main, { id }, { tags: ["new"] }))["tags"], ["new"]);
      const kept = await update(run.main, { id }, { keepOpen: 95 });
      expectEqual("the unchanged tags", kept["tags"], ["new"]);
      expectEqual("the unchanged label", kept["label"], label);
      // The lifetime set by Open still ends first.
      expectEqual("closesOn with an unchanged lifetime", kept["closesOn"], before["closesOn"]);
    },
  },
  {
    id: "RBS-UPDATE-05",
    at: `${UPDATE}/responses/400/description`,
    sentence: "The request does not match the contract. `errors` lists each problem.",
    covers: ["updateBrowser 400", ...VALUES.map((value) => `UpdateRequest.${value}`)],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { id } = await openNamed(run, { KeepOpen: 60, Tags: ["stays"] });
      const before = await infoOf(run.main, { id });
      const tooMany = Array.from({ length: MAX_TAGS + 1 }, (_, at) => `tag ${at}`);
      const wrong: readonly (readonly [string, object])[] = [
        ...[-1, "60", true, [60]].map((keepOpen) => ["/keepOpen", { keepOpen }] as const),
        ...[-0.5, "60", true, {}].map((lifetime) => ["/lifetime", { lifetime }] as const),
        ...["x".repeat(257), 5, ["x"]].map((label) => ["/label", { label }] as const),
        ...["x", 5, tooMany].map((tags) => ["/tags", { tags }] as const),
        ...["", 5, "x".repeat(MAX_TAG_LENGTH + 1)].map((tag) => ["/tags/1", { tags: ["a", tag] }] as const),
      ];
      // The other value is valid, but a rejected request must not apply it.
      await Promise.all(
        wrong.map(async ([place, values]) => {
          const other = place.startsWith("/tags") ? { label: `${run.prefix}-wrong` } : { tags: ["wrong"] };
          expectRefusal(await run.main.call("updateBrowser", { id, ...other, ...values }), "BadRequest", place);
        }),
      );
      const after = await infoOf(run.main, { id });
      for (const member of ["keepOpen", "closesOn", "label", "tags"]) {
        expectEqual(`${member} after rejected requests`, after[member], before[member]);
      }
      const own = run.newLabel();
      const label = own + "🌍".repeat(256 - own.length);
      const longest = { label, tags: tooMany.slice(1).map((tag) => tag.padEnd(MAX_TAG_LENGTH, "é")) };
      const updated = await update(run.main, { id }, longest);
      expectEqual("a label of 256 characters", updated["label"], longest.label);
      expectEqual("20 tags of 128 characters", updated["tags"], longest.tags);
    },
  },
  {
    id: "RBS-UPDATE-06",
    at: schema("UpdateRequest", "keepOpen"),
    sentence: "A running period gets the new length.",
    covers: ["UpdateRequest.keepOpen"],
    opens: 2,
    waitsS: 3,
    async check(run) {
      const { id } = await openNamed(run, { KeepOpen: 60 });
      const brief = await openNamed(run, { KeepOpen: 60 });
      const before = await infoOf(run.main, { id });
      // If the update restarted the period, the period would end noticeably later.
      await run.sleep(1500);
      const after = await update(run.main, { id }, { keepOpen: 90 });
      const addedMs = timeOf("closesOn", after["closesOn"]) - timeOf("closesOn", before["closesOn"]);
      const isSame = Math.abs(addedMs - 30_000) <= EXACT_MS;
      expectThat(isSame, "a period extended from 60 s to 90 s to end 30 s later", `${addedMs / 1000} s later`);
      // More than a second of the current inactivity period has already passed.
      await update(run.main, { id: brief.id }, { keepOpen: 1 });
      expectEqual("the reason once the new period has passed", await reasonOf(run.main, brief.id), "inactive");
    },
  },
  {
    id: "RBS-UPDATE-07",
    capability: "idle",
    at: schema("UpdateRequest", "keepOpen"),
    sentence: "The inactivity period in seconds, as the option `KeepOpen` of Open.",
    covers: ["UpdateRequest.keepOpen"],
    opens: 2,
    waitsS: 6,
    isLong: true,
    async check(run) {
      const longer = await openNamed(run, { KeepOpen: 5 });
      const opened = Date.now();
      await update(run.main, { id: longer.id }, { keepOpen: 60 });
      const withClient = await openNamed(run, { KeepOpen: 60 });
      {
        await using _ = await connectDevtools(withClient.address);
        await update(run.main, { id: withClient.id }, { keepOpen: 1 });
        await run.sleep(1500);
        const { state } = await infoOf(run.main, { id: withClient.id });
        expectEqual("the state while a client is connected", state, "open");
      }
      expectEqual("the reason after the client disconnected", await reasonOf(run.main, withClient.id, 7), "inactive");
      await run.sleep(Math.max(0, opened + 6000 - Date.now()));
      const { state } = await infoOf(run.main, { id: longer.id });
      expectEqual("the state 6 s after opening, with KeepOpen changed from 5 to 60", state, "open");
    },
  },
  {
    id: "RBS-UPDATE-08",
    at: schema("UpdateRequest", "lifetime"),
    sentence: "The lifetime in seconds, counted from the opening, as the option `Lifetime` of Open.",
    covers: ["UpdateRequest.lifetime"],
    opens: 1,
    waitsS: 2,
    async check(run) {
      const browser = await openNamed(run, { KeepOpen: 60, Lifetime: 50 });
      // A lifetime counted from the update would end noticeably later.
      const before = timeOf("closesOn", (await infoOf(run.main, { id: browser.id }))["closesOn"]);
      await run.sleep(1200);
      const after = timeOf("closesOn", (await update(run.main, { id: browser.id }, { lifetime: 55 }))["closesOn"]);
      const isSame = Math.abs(after - before - 5000) <= EXACT_MS;
      expectThat(isSame, "a lifetime raised from 50 s to 55 s to end 5 s later", `${(after - before) / 1000} s later`);
      const maximum = await maxLifetimeOf(run.main);
      await using _ = await connectDevtools(browser.address);
      await untilClients(run, browser, 1);
      // 0 means the plan's maximum, even if a shorter lifetime was set before.
      const unlimited = await update(run.main, { id: browser.id }, { lifetime: 0 });
      if (maximum === null)
        expectEqual("closesOn after lifetime 0, with a connected client", unlimited["closesOn"], null);
      else expectClosesAfter(unlimited, maximum);
    },
  },
  {
    id: "RBS-UPDATE-09",
    at: schema("UpdateRequest", "lifetime"),
    sentence: "A browser that is older is closed.",
    covers: ["UpdateRequest.lifetime"],
    opens: 1,
    waitsS: 1,
    isLong: true,
    async check(run) {
      const { address, id } = await openNamed(run);
      await using client = await connectDevtools(address);
      await run.sleep(1000);
      await update(run.main, { id }, { lifetime: 0.5 });
      const end = await client.closing(5000);
      expectEqual("the connection's close reason", end?.reason, "browser closed: lifetime");
      expectEqual("the reason", await reasonOf(run.main, id), "lifetime");
    },
  },
  {
    id: "RBS-UPDATE-11",
    at: DESCRIPTION,
    sentence:
      "If the browser's time is already up by the new values, it is closed, and the response shows it as `closed`, with the reason.",
    covers: ["updateBrowser 200"],
    opens: 2,
    waitsS: 1,
    isDetail: true,
    async check(run) {
      const browsers = [await openNamed(run, { KeepOpen: 60 }), await openNamed(run, { KeepOpen: 60 })];
      await run.sleep(1000);
      for (const [at, [values, reason]] of [
        [{ lifetime: 0.5 }, "lifetime"] as const,
        [{ keepOpen: 0.5 }, "inactive"] as const,
      ].entries()) {
        const shown = await update(run.main, { id: browsers[at]?.id }, values);
        const { state, reason: given, endedOn, address } = shown;
        const what = `Update's response to ${JSON.stringify(values)}`;
        expectEqual(what, { state, reason: given, address }, { state: "closed", reason, address: null });
        timeOf("endedOn", endedOn);
      }
    },
  },
  {
    id: "RBS-UPDATE-10",
    ...LIMITED,
    at: DESCRIPTION,
    sentence: "They follow the rules of the options of Open: the plan's maximum lifetime stays a limit.",
    isDetail: true,
    check: (run) =>
      onLimited(run, async (account, first) => {
        const maximum = await maxLifetimeOf(account);
        if (maximum === null) throw new NotApplicable("The limited account's plan has no maximum lifetime.");
        const { id } = await infoOf(account, { address: first });
        // While a client is connected, only the lifetime can end the browser.
        await using _ = await connectDevtools(first);
        await untilClients(run, { address: first, id: String(id) }, 1, account);
        for (const value of [0, maximum + 1000]) {
          const shown = await update(account, { address: first }, { keepOpen: value, lifetime: value });
          expectEqual("keepOpen capped at the maximum lifetime", shown["keepOpen"], maximum);
          expectClosesAfter(shown, maximum);
        }
        await update(account, { address: first }, { keepOpen: 60 });
      }),
  },
]);
