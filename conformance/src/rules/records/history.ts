import { HISTORY, schema } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectRefusal, expectSuccess, expectThat, show } from "../../session/expect.ts";
import {
  type BrowserRecord,
  type Named,
  historyIds,
  historyPart,
  infoOf,
  openNamed,
  timeOf,
} from "../../scenario/records.ts";

const DESCRIPTION = `${HISTORY}/description`;

/** Minimum interval between events whose timestamps must differ, in ms. */
export const APART_MS = 60;
/** Members of an open browser's record that may change between two requests. */
const MAY_DIFFER = ["clients", "closesOn", "units", "bytesSent", "bytesReceived"];

/** The list of open and ended browsers. */
export const HISTORY_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-HISTORY-01",
    at: DESCRIPTION,
    sentence: "Lists the browsers of this account, open and ended",
    covers: ["getBrowserHistory 200"],
    opens: 2,
    async check(run) {
      const tag = run.newLabel();
      const [open, ended] = [await openNamed(run, { Tags: [tag] }), await openNamed(run, { Tags: [tag] })];
      expectSuccess(await run.main.close(ended.address));
      const { browsers, next } = await historyPart(run.main, { tag });
      expectEqual("`next` in the last part", next, null);
      expectIds("the browsers with this tag", browsers, [open, ended]);
      for (const { id } of [open, ended]) {
        const listed = browsers.find((each) => each["id"] === id) ?? {};
        const shown = await infoOf(run.main, { id });
        for (const [member, value] of Object.entries(shown)) {
          const isSteady = shown["state"] === "closed" || !MAY_DIFFER.includes(member);
          if (isSteady) expectEqual(`${member} in the history`, listed[member], value);
        }
      }
    },
  },
  {
    id: "RBS-HISTORY-02",
    at: schema("BrowserHistory", "browsers"),
    sentence:
      "First those that were open when the first part was requested, the last opened first; then those that had ended, the last ended first.",
    opens: 5,
    waitsS: 1,
    isDetail: true,
    async check(run) {
      const tag = run.newLabel();
      const opened: Named[] = [];
      for (let at = 0; at < 5; at += 1) opened.push(await openNamed(run, { Tags: [tag] }));
      // Close some browsers in a different order than they were opened.
      for (const at of [2, 0, 3]) {
        expectSuccess(await run.main.close(opened[at]?.address ?? ""));
        await run.sleep(APART_MS);
      }
      const { browsers } = await historyPart(run.main, { tag });
      expectIds("the browsers with this tag", browsers, opened);
      const states = browsers.map(({ state }) => state);
      expectEqual("the states in the history", states, ["open", "open", "closed", "closed", "closed"]);
      expectDescending(browsers.slice(0, 2), "startedOn");
      expectDescending(browsers.slice(2), "endedOn");
      // Smaller parts of the history have the same order.
      const ids = browsers.map(({ id }) => id);
      expectEqual("the ids with limit 2", await historyIds(run.main, { tag, limit: 2 }), ids);
    },
  },
  {
    id: "RBS-HISTORY-03",
    at: DESCRIPTION,
    sentence: "All parts together list each browser once: the ones that existed when the first part was requested.",
    covers: ["HistoryRequest.cursor", "HistoryRequest.limit"],
    opens: 7,
    isDetail: true,
    async check(run) {
      const { main } = run;
      const tag = run.newLabel();
      const opened: Named[] = [];
      for (let at = 0; at < 5; at += 1) opened.push(await openNamed(run, { Tags: [tag] }));
      expectSuccess(await main.close(opened[0]?.address ?? ""));
      const ids = await historyIds(main, { tag, limit: 2 }, async (part) => {
        // The parts list browsers 4 and 3, then 2 and 1, and finally 0, which has ended.
        const ending = { 1: [4, 1], 2: [2] }[part] ?? [];
        for (const at of ending) expectSuccess(await main.close(opened[at]?.address ?? ""));
        await openNamed(run, { Tags: [tag] });
      });
      const wanted = opened.map(({ id }) => id);
      expectEqual("the ids in all parts, sorted", ids.toSorted(), wanted.toSorted());
    },
  },
  {
    id: "RBS-HISTORY-09",
    at: schema("HistoryRequest", "limit"),
    sentence: "How many browsers to list at most, from 1 to 100.",
    covers: ["getBrowserHistory 400", "HistoryRequest.limit"],
    opens: 2,
    isDetail: true,
    async check(run) {
      const tag = run.newLabel();
      for (const Label of [run.newLabel(), run.newLabel()]) await openNamed(run, { Label, Tags: [tag] });
      const one = await historyPart(run.main, { tag, limit: 1 });
      expectEqual("the number of browsers with limit 1", one.browsers.length, 1);
      expectThat(typeof one.next === "string", "a cursor in next, because the list continues", show(one.next));
      for (const limit of [2, 100, null]) {
        const { browsers, next } = await historyPart(run.main, { tag, limit });
        expectEqual(`the number of browsers with limit ${limit}`, browsers.length, 2);
        expectEqual(`next with limit ${limit} at the end of the list`, next, null);
      }
      for (const limit of [0, -1, 101, 1.5, "5", true]) {
        expectRefusal(await run.main.call("getBrowserHistory", { tag, limit }), "BadRequest", "/limit");
      }
    },
  },
  {
    id: "RBS-HISTORY-10",
    at: schema("HistoryRequest", "cursor"),
    sentence: "A text that is not such a cursor is a `BadRequest`.",
    covers: ["getBrowserHistory 400", "HistoryRequest.cursor"],
    async check(run) {
      const tag = run.newLabel();
      for (const cursor of ["no cursor", "0", "AAAA", "e30", "", 5, "x".repeat(1024), "x".repeat(1025)]) {
        expectRefusal(await run.main.call("getBrowserHistory", { tag, cursor }), "BadRequest", "/cursor");
      }
      expectSuccess(await run.main.call("getBrowserHistory", { tag, cursor: null }));
    },
  },
  {
    id: "RBS-HISTORY-11",
    at: schema("HistoryRequest"),
    sentence: "Every member may be omitted or `null`, which means the same.",
    covers: ["getBrowserHistory 200"],
    opens: 1,
    isDetail: true,
    async check(run) {
      const { id } = await openNamed(run);
      const nulls = { since: null, until: null, label: null, tag: null, limit: null, cursor: null };
      for (const body of [undefined, {}, nulls]) {
        const { browsers } = expectSuccess(await run.main.call("getBrowserHistory", body));
        // This browser is listed first, unless other browsers have been opened since.
        const isListed = Array.isArray(browsers) && browsers.some((each: BrowserRecord) => each["id"] === id);
        expectThat(isListed, "the first part to list a newly opened browser", "a list without the browser");
      }
    },
  },
  {
    id: "RBS-HISTORY-12",
    at: schema("BrowserHistory", "keptSince"),
    sentence: "The deployment deletes browsers that ended before this moment; `null` if it keeps all of them.",
    opens: 1,
    isDetail: true,
    async check(run) {
      const tag = run.newLabel();
      const { address } = await openNamed(run, { Tags: [tag] });
      expectSuccess(await run.main.close(address));
      const { browsers, keptSince } = await historyPart(run.main, { tag });
      const ended = timeOf("endedOn", browsers[0]?.["endedOn"]);
      if (keptSince === null) return;
      const shown = show(keptSince);
      const kept = typeof keptSince === "string" ? Date.parse(keptSince) : NaN;
      expectThat(!Number.isNaN(kept), "keptSince as a date and time", shown);
      expectThat(kept <= ended, "keptSince to be before the end of a listed browser", shown);
    },
  },
  {
    id: "RBS-HISTORY-13",
    at: schema("BrowserHistory"),
    sentence: "This response has no `status`.",
    async check(run) {
      const body = expectSuccess(await run.main.call("getBrowserHistory", { tag: run.newLabel() }));
      expectThat(!("status" in body), "browsers without a status member", `status ${String(body["status"])}`);
    },
  },
  {
    id: "RBS-ISO-07",
    capability: "isolation",
    at: DESCRIPTION,
    sentence: "Lists the browsers of this account, open and ended",
    needs: ["other-account"],
    opens: 2,
    isDetail: true,
    async check(run) {
      const Label = run.newLabel();
      const options = { Label, Tags: [Label] };
      await openNamed(run, options);
      const ended = await openNamed(run, options);
      expectSuccess(await run.main.close(ended.address));
      // List this account's browsers first, so that a faulty cache would return them to the other account.
      for (const which of [{ tag: Label }, { label: Label }]) {
        expectEqual("the number of the account's browsers", (await historyPart(run.main, which)).browsers.length, 2);
        const { browsers } = await historyPart(run.account("other-account"), which);
        expectEqual("the number of another account's browsers", browsers.length, 0);
      }
      // This account's cursor must not give other accounts access to its browsers.
      const { next } = await historyPart(run.main, { tag: Label, limit: 1 });
      const request = { tag: Label, limit: 1, cursor: next };
      const answer = await run.account("other-account").call("getBrowserHistory", request);
      if (answer.received.status === 400) return;
      const { browsers } = expectSuccess(answer);
      expectEqual("the browsers listed with another account's cursor", browsers, []);
    },
  },
]);

/** @param wanted The expected browsers, in any order. */
export function expectIds(
  what: string,
  browsers: readonly BrowserRecord[],
  wanted: readonly { readonly id: string }[],
): void {
  const seen = browsers.map(({ id }) => String(id)).toSorted();
  expectEqual(`the ids of ${what}, sorted`, seen, wanted.map(({ id }) => id).toSorted());
}

/** @throws {Violation} If the list isn't in descending order of this timestamp. */
function expectDescending(browsers: readonly BrowserRecord[], member: "startedOn" | "endedOn"): void {
  const times = browsers.map((each) => timeOf(member, each[member]));
  for (const [at, time] of times.entries()) {
    const before = times[at - 1] ?? time;
    const seen = `${new Date(time).toISOString()} later`;
    expectThat(before >= time, `a list ordered by ${member}, latest first`, seen);
  }
}
