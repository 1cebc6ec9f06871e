import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDevtools } from "../../../../test/support/browsers/devtools-client.ts";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { addEndedBrowsers } from "../../../../../bench/src/subjects/databases/ended-browsers.ts";
import { newPageUser, type PageUser, signIn, signUp } from "../../../../test/support/pages/page-user.ts";

const MONTH = "2024-02";
const COLUMNS = "started,ended,label,kind,reason,units,id,tags";
const HOSTILE = `"><script>alert(1)</script>`;

let fake: FakeService;
/** A user whose 120 browsers all ended in the same past month. */
let busy: PageUser;
let busyId: string;
/** Has no browsers. */
let idle: PageUser;
/**
 * A user with 120 browsers. Every other browser has the tag `even`, the first two browsers have the label `mine`, and
 * the second one has a hostile tag.
 */
let tagged: PageUser;
beforeAll(async () => {
  fake = await startFakeService();
  [busy, idle] = [await signUp(fake.service.url), await signUp(fake.service.url)];
  busyId = fake.accountIdOf(busy.email);
  addEndedBrowsers({ file: fake.database, accountId: busyId, period: MONTH, count: 120 });
  tagged = await signUp(fake.service.url);
  const taggedId = fake.accountIdOf(tagged.email);
  addEndedBrowsers({ file: fake.database, accountId: taggedId, period: MONTH, count: 120 });
  using database = new DatabaseSync(fake.database, { timeout: 5000 });
  const tag = database.prepare("update ended_browsers set label = coalesce(?, label), tags = ? where id = ?");
  for (let index = 0; index < 120; index += 2)
    tag.run(index === 0 ? "mine" : null, '["first","even"]', `${taggedId}-${MONTH}-${index}`);
  tag.run("mine", JSON.stringify([HOSTILE]), `${taggedId}-${MONTH}-1`);
});
afterAll(() => fake[Symbol.asyncDispose]());

const FILES = [`/dashboard/usage.csv?month=${MONTH}`, `/dashboard/browsers.csv?month=${MONTH}`];
const PAGES = ["/dashboard/usage", `/dashboard/usage?month=${MONTH}`, "/dashboard/history"];

test.each([...PAGES, ...FILES])("%s requires a signed-in user", async (path) => {
  const { status, headers } = await newPageUser(fake.service.url).get(path);
  expect([status, headers.get("Location")]).toEqual([303, `/sign-in?next=${encodeURIComponent(path)}`]);
});

describe("usage", () => {
  test("is shown for the current month by default", async () => {
    const { status, text } = await idle.get("/dashboard/usage");
    expect(status).toBe(200);
    expect(text).toContain("This month");
    expect(text).toContain("No browsers in");
  });

  test("is drawn for the month in the URL, without inline styles or scripts", async () => {
    const { status, text } = await busy.get(`/dashboard/usage?month=${MONTH}`);
    expect(status).toBe(200);
    expect(text).toContain("Units by day in February 2024");
    expect(text.match(/class="day"/g)).toHaveLength(29);
    expect(text).not.toMatch(/ style=|<style|<script(?! type="module" src=")/);
  });

  test("doesn't include other accounts' browsers", async () => {
    const { text } = await idle.get(`/dashboard/usage?month=${MONTH}`);
    expect(text).toContain("No browsers in February 2024");
  });

  test.each(["", "x", "2026-13", "2026-1", "2024-02-01", "99999-01", HOSTILE, "%00"])(
    "is refused for an invalid month, both as a page and as a file: %s",
    async (month) => {
      for (const path of ["/dashboard/usage", "/dashboard/usage.csv", "/dashboard/browsers.csv"]) {
        const { status, text, headers } = await busy.get(`${path}?month=${encodeURIComponent(month)}`);
        expect([status, headers.get("Content-Type")]).toEqual([400, "text/html; charset=UTF-8"]);
        expect(text).toContain("Invalid month");
        expect(text).not.toContain("alert(1)");
      }
    },
  );

  test("is refused for a month in the future", async () => {
    const { status, text } = await busy.get("/dashboard/usage?month=9998-12");
    expect(status).toBe(400);
    expect(text).toContain("9998-12 has not started yet");
  });

  test("includes an open browser's first unit, and the history lists the browser as soon as it has closed", async () => {
    const { email, password = "" } = fake.service.firstAccount ?? { email: "" };
    const user = await signIn(fake.service.url, email, password);
    const { body } = await fake.post("/api/v1/Browser/Open", { Label: HOSTILE });
    expect((await user.get("/dashboard/usage")).text).toMatch(/<strong>1<\/strong>\s+unit/);
    expect((await user.get("/dashboard/history")).text).toContain("No closed browsers yet");
    await fake.post("/api/v1/Browser/Close", { address: body["address"] });
    const { text } = await user.get("/dashboard/history");
    expect(text).toContain("Closed on request");
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).not.toContain("<script>alert(1)");
  });

  test("the history shows that a client closed a browser through DevTools", async () => {
    const { email, password = "" } = fake.service.firstAccount ?? { email: "" };
    const user = await signIn(fake.service.url, email, password);
    const { body } = await fake.post("/api/v1/Browser/Open", {});
    const client = await connectDevtools(String(body["address"]));
    // The connection may close before a response arrives.
    client.command("Browser.close").catch(() => {});
    await client.closed;
    await expect.poll(async () => (await user.get("/dashboard/history")).text).toContain("Closed by the client");
  });
});

describe("files", () => {
  test("have a fixed name and content type, and can't run scripts", async () => {
    for (const [index, name] of [`usage-${MONTH}.csv`, `browsers-${MONTH}.csv`].entries()) {
      const { status, headers } = await busy.get(FILES[index] ?? "");
      expect(status).toBe(200);
      expect(headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
      expect(headers.get("Content-Disposition")).toBe(`attachment; filename="${name}"`);
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Content-Security-Policy")).toContain("default-src 'none'");
      expect(headers.get("Cache-Control")).toBe("no-store");
    }
  });

  test("list the units of every day of the month", async () => {
    const lines = (await busy.get(FILES[0] ?? "")).text.split("\r\n");
    expect([lines[0], lines.length, lines.at(-1)]).toEqual(["day,units", 1 + 29 + 1, ""]);
    expect(lines[29]).toMatch(/^2024-02-29,\d+$/);
    const sum = lines.slice(1, -1).reduce((total, line) => total + Number(line.split(",")[1]), 0);
    const page = (await busy.get(`/dashboard/usage?month=${MONTH}`)).text;
    expect(page).toContain(`<strong>${sum}</strong>`);
  });

  test("list each ended browser, with labels and tags that spreadsheets read as text", async () => {
    const database = new DatabaseSync(fake.database, { timeout: 5000 });
    const tags = JSON.stringify(["=1+1", 'a "tag"']);
    const label = `=HYPERLINK("http://x"),\r\nünï`;
    database
      .prepare("update ended_browsers set label = ?, tags = ? where id = ?")
      .run(label, tags, `${busyId}-${MONTH}-0`);
    database.close();
    const { text } = await busy.get(FILES[1] ?? "");
    const first = `2024-02-01T00:00:00.000Z,2024-02-01T00:00:59.000Z,"'=HYPERLINK(""http://x""),\r\nünï",chromium,requested,1,${busyId}-${MONTH}-0,"'=1+1, a ""tag"""\r\n`;
    expect(text.startsWith(`${COLUMNS}\r\n${first}`)).toBe(true);
    expect(text.match(/Z,chromium|,chromium,/g)).toHaveLength(120);
  });

  test("don't include other accounts' data", async () => {
    expect((await idle.get(FILES[0] ?? "")).text).not.toMatch(/,[1-9]/);
    expect((await idle.get(FILES[1] ?? "")).text).toBe(`${COLUMNS}\r\n`);
  });
});

describe("history", () => {
  const older = (text: string): string | undefined =>
    /\/dashboard\/history\?[^"]*before=[\w-]+/.exec(text)?.[0].replaceAll("&amp;", "&");
  const rows = (text: string): number => (text.match(/<th scope="row">/g) ?? []).length;

  test("shows an explanation if it is empty", async () => {
    const { status, text } = await idle.get("/dashboard/history");
    expect([status, rows(text)]).toEqual([200, 0]);
    expect(text).toContain("No closed browsers yet");
  });

  test("shows fifty browsers per page, most recent first", async () => {
    const counts: number[] = [];
    const moments: string[] = [];
    for (let path: string | undefined = "/dashboard/history"; path !== undefined;) {
      const { text } = await busy.get(path);
      counts.push(rows(text));
      moments.push(...[...text.matchAll(/data-name="Closed"><time datetime="([^"]+)"/g)].map(([, at = ""]) => at));
      path = older(text);
    }
    expect(counts).toEqual([50, 50, 20]);
    expect(moments).toEqual(moments.toSorted().toReversed());
    expect(new Set(moments).size).toBe(120);
  });

  test("applies the label and tag filters on every page", async () => {
    const of = (query: string) => tagged.get(`/dashboard/history?${query}`);
    const counts: number[] = [];
    for (let path: string | undefined = "/dashboard/history?label=&tag=even"; path !== undefined;) {
      const { text } = await tagged.get(path);
      counts.push(rows(text));
      expect(text).toMatch(/name="tag"[^>]*value="even"/);
      path = older(text);
    }
    expect(counts).toEqual([50, 10]);
    expect(rows((await of("tag=even&label=mine")).text)).toBe(1);
    expect(rows((await of("label=mine")).text)).toBe(2);
    expect(rows((await of("label=Mine")).text)).toBe(0);
    expect(rows((await of("tag=eve")).text)).toBe(0);
  });

  test("shows tags as links to the browsers that have them, and ids with a Copy button", async () => {
    const { text } = await tagged.get(`/dashboard/history?tag=${encodeURIComponent(HOSTILE)}`);
    expect(rows(text)).toBe(1);
    const [, url = ""] = /href="([^"]*)"><bdi title="&quot;&gt;&lt;script&gt;/.exec(text) ?? [];
    expect(new URL(url, fake.service.url).searchParams.get("tag")).toBe(HOSTILE);
    expect(text).toMatch(/data-copy="[\w-]+-1"/);
    expect(text).not.toContain("<script>alert(1)");
  });

  test("names the filters if no browser matches", async () => {
    const { text } = await busy.get(`/dashboard/history?label=a+%3Cb%3E&tag=x`);
    expect(text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ")).toMatch(
      /No closed browsers with the label a &lt;b&gt; and the tag x\./,
    );
    expect(text).toContain('href="/dashboard/history">Show all');
  });

  test("states how far back the list goes if the server deletes old records", async () => {
    expect((await busy.get("/dashboard/history")).text).not.toContain("have been deleted");
    await using short = await startFakeService({ RBS_HISTORY_DAYS: "30" });
    const { text } = await (await signUp(short.service.url)).get("/dashboard/history");
    const [, since = ""] = /closed before\s+<time datetime="([^"]+)"/.exec(text) ?? [];
    const days = (Date.now() - Date.parse(since)) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);
  });

  test("doesn't show another account's browsers, even with a cursor from that account", async () => {
    const path = older((await busy.get("/dashboard/history")).text) ?? "";
    const { status, text } = await idle.get(path);
    expect([status, rows(text)]).toEqual([200, 0]);
    expect(text).toContain("No older browsers");
  });

  test.each([
    "",
    "x",
    "MjAyNg",
    HOSTILE,
    toBase64("2026-11-21T10:00:00.000Z"),
    toBase64("2026-99-21T10:00:00.000Z id"),
    toBase64("2026-11-21T10:00:00.000Z id' or 1=1"),
    `${toBase64("2026-11-21T10:00:00.000Z id")}=`,
  ])("refuses an invalid cursor: %s", async (before) => {
    const { status, text } = await busy.get(`/dashboard/history?before=${encodeURIComponent(before)}`);
    expect(status).toBe(400);
    expect(text).toContain("This link to a page of your history is not valid");
  });
});

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64url");
}
