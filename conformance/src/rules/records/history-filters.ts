import { schema } from "../pointers.ts";
import { Undecidable } from "../../target/violation.ts";
import { scenarios } from "../rule.ts";
import { expectEqual, expectRefusal, expectSuccess } from "../../session/expect.ts";
import type { Run } from "../../session/run.ts";
import { APART_MS, expectIds } from "./history.ts";
import { type BrowserRecord, type Named, historyPart, infoOf, openNamed, timeOf } from "../../scenario/records.ts";
import { MAX_TAG_LENGTH } from "../open/tags.ts";

/** Filters of the browser history. */
export const HISTORY_FILTER_RULES = scenarios({ capability: "core", since: "1.1" }, [
  {
    id: "RBS-HISTORY-04",
    at: schema("HistoryRequest", "since"),
    sentence: "Only browsers that were open at this moment or later",
    covers: ["HistoryRequest.since"],
    opens: 2,
    waitsS: 1,
    async check(run) {
      const { tag, ended, open, first, second } = await openInTurn(run);
      const list = (moment: number): Promise<readonly BrowserRecord[]> => listBrowsers(run, tag, "since", moment);
      expectIds("browsers in the history since the first browser opened", await list(first.startedOn), [ended, open]);
      expectIds("browsers since just before the first browser ended", await list(first.endedOn - 1), [ended, open]);
      expectIds("browsers open after the first browser ended", await list(first.endedOn + 1), [open]);
      expectIds("browsers since a minute after the second browser was opened", await list(second.startedOn + 60_000), [
        open,
      ]);
      // The same timestamp in another time zone.
      const zoned = new Date(first.endedOn + 1 - 2 * 3_600_000).toISOString().replace("Z", "-02:00");
      const { browsers } = await historyPart(run.main, { tag, since: zoned });
      expectIds("browsers since a timestamp with a time zone", browsers, [open]);
    },
  },
  {
    id: "RBS-HISTORY-05",
    at: schema("HistoryRequest", "until"),
    sentence: "Only browsers that were opened before this moment",
    covers: ["HistoryRequest.until"],
    opens: 2,
    waitsS: 1,
    async check(run) {
      const { tag, ended, open, first, second } = await openInTurn(run);
      const list = (moment: number): Promise<readonly BrowserRecord[]> => listBrowsers(run, tag, "until", moment);
      expectIds("browsers opened before the first browser", await list(first.startedOn), []);
      expectIds("browsers until shortly after the second browser was opened", await list(first.startedOn + 1), [ended]);
      expectIds("browsers until the second browser was opened", await list(second.startedOn), [ended]);
      expectIds("browsers until shortly after the second browser was opened", await list(second.startedOn + 1), [
        ended,
        open,
      ]);
      const [since, until] = [first.endedOn + 1, second.startedOn].map((moment) => new Date(moment).toISOString());
      expectIds(
        "browsers in the gap between two lifetimes",
        (await historyPart(run.main, { tag, since, until })).browsers,
        [],
      );
    },
  },
  {
    id: "RBS-HISTORY-06",
    at: schema("HistoryRequest", "since"),
    sentence: "a date and time by RFC 3339. Other text is a `BadRequest`.",
    covers: ["getBrowserHistory 400", "HistoryRequest.since", "HistoryRequest.until"],
    async check(run) {
      const tag = run.newLabel();
      const wrong = [
        "yesterday",
        "2026-03-14",
        "09:26:53Z",
        "2026-13-14T09:26:53Z",
        "1773480413",
        "",
        1773480413,
        true,
      ];
      for (const member of ["since", "until"]) {
        for (const value of wrong) {
          const answer = await run.main.call("getBrowserHistory", { tag, [member]: value });
          expectRefusal(answer, "BadRequest", `/${member}`);
        }
        for (const value of ["2026-03-14T09:26:53Z", "2026-03-14T10:26:53.589123+01:00", null]) {
          expectSuccess(await run.main.call("getBrowserHistory", { tag, [member]: value }));
        }
      }
    },
  },
  {
    id: "RBS-HISTORY-07",
    at: schema("HistoryRequest", "label"),
    sentence: "Only browsers with this label.",
    covers: ["getBrowserHistory 400", "HistoryRequest.label"],
    opens: 3,
    isDetail: true,
    async check(run) {
      const Label = run.newLabel();
      const [open, ended] = [await openNamed(run, { Label }), await openNamed(run, { Label })];
      await openNamed(run, { Label: `${Label}b`, Tags: [Label] });
      expectSuccess(await run.main.close(ended.address));
      const { browsers } = await historyPart(run.main, { label: Label, tag: null });
      expectIds("the browsers with this label", browsers, [open, ended]);
      for (const label of [5, [Label], "x".repeat(257)]) {
        expectRefusal(await run.main.call("getBrowserHistory", { label }), "BadRequest", "/label");
      }
    },
  },
  {
    id: "RBS-HISTORY-08",
    at: schema("HistoryRequest", "tag"),
    sentence: "Only browsers that have this tag.",
    covers: ["getBrowserHistory 400", "HistoryRequest.tag"],
    opens: 3,
    isDetail: true,
    async check(run) {
      const tag = run.newLabel();
      const Label = run.newLabel();
      const open = await openNamed(run, { Label, Tags: ["a", tag] });
      const ended = await openNamed(run, { Tags: [tag, "b"] });
      await openNamed(run, { Label, Tags: [`${tag}b`] });
      expectSuccess(await run.main.close(ended.address));
      expectIds("the browsers with this tag", (await historyPart(run.main, { tag })).browsers, [open, ended]);
      const both = await historyPart(run.main, { tag, label: Label });
      expectIds("the browsers with this tag and label", both.browsers, [open]);
      const unknown = await historyPart(run.main, { tag: run.newLabel() });
      expectIds("the browsers with an unknown tag", unknown.browsers, []);
      for (const wrong of ["", 5, [tag], "x".repeat(MAX_TAG_LENGTH + 1)]) {
        expectRefusal(await run.main.call("getBrowserHistory", { tag: wrong }), "BadRequest", "/tag");
      }
    },
  },
  {
    id: "RBS-HISTORY-14",
    at: schema("HistoryRequest", "cursor"),
    sentence: "The other members must be the same as in that request, except `limit`, which may differ.",
    covers: ["HistoryRequest.cursor", "HistoryRequest.limit"],
    opens: 3,
    isDetail: true,
    async check(run) {
      const { tag, opened, cursor, browsers } = await readFirst(run, 3);
      const rest = await historyPart(run.main, { tag, limit: 100, cursor });
      expectIds(
        "the browsers in a part with limit 1 and the next with limit 100",
        [...browsers, ...rest.browsers],
        opened,
      );
    },
  },
  {
    id: "RBS-HISTORY-15",
    at: schema("HistoryRequest", "cursor"),
    sentence:
      "With others, the response is a `BadRequest`, or lists only browsers that match the members of this request.",
    covers: ["HistoryRequest.cursor"],
    opens: 2,
    isDetail: true,
    async check(run) {
      const { cursor } = await readFirst(run, 2);
      const answer = await run.main.call("getBrowserHistory", { tag: run.newLabel(), limit: 1, cursor });
      if (answer.received.status === 400) return void expectRefusal(answer, "BadRequest", "/cursor");
      expectEqual("the browsers with an unused tag and another tag's cursor", expectSuccess(answer)["browsers"], []);
    },
  },
]);

/** Opens browsers with a tag, and reads the first part of their history with limit 1. */
async function readFirst(
  run: Run,
  count: number,
): Promise<{ tag: string; opened: readonly Named[]; cursor: unknown; browsers: readonly BrowserRecord[] }> {
  const tag = run.newLabel();
  const opened: Named[] = [];
  for (let at = 0; at < count; at += 1) opened.push(await openNamed(run, { Tags: [tag] }));
  const { browsers, next: cursor } = await historyPart(run.main, { tag, limit: 1 });
  return { tag, opened, cursor, browsers };
}

/** Lists browsers with a tag, since or until a timestamp. */
async function listBrowsers(
  { main }: Run,
  tag: string,
  member: "since" | "until",
  moment: number,
): Promise<readonly BrowserRecord[]> {
  return (await historyPart(main, { tag, [member]: new Date(moment).toISOString() })).browsers;
}

type Span = { readonly startedOn: number; readonly endedOn: number };

/** Opens a browser, closes it, and opens a second browser, at distinguishable times. */
async function openInTurn(
  run: Run,
): Promise<{ tag: string; ended: Named; open: Named; first: Span; second: Pick<Span, "startedOn"> }> {
  const tag = run.newLabel();
  const ended = await openNamed(run, { Tags: [tag] });
  await run.sleep(APART_MS);
  expectSuccess(await run.main.close(ended.address));
  await run.sleep(APART_MS);
  const open = await openNamed(run, { Tags: [tag] });
  const [one, other] = [await infoOf(run.main, { id: ended.id }), await infoOf(run.main, { id: open.id })];
  const first = { startedOn: timeOf("startedOn", one["startedOn"]), endedOn: timeOf("endedOn", one["endedOn"]) };
  const second = { startedOn: timeOf("startedOn", other["startedOn"]) };
  if (second.startedOn <= first.endedOn) {
    throw new Undecidable("The clocks of the deployment's machines differ, so timestamps can't be compared.");
  }
  return { tag, ended, open, first, second };
}
