import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { addressesOf, idsOf, open, withPlan, cardText } from "../../../../test/support/pages/browsers-page.ts";
import { connectDevtools } from "../../../../test/support/browsers/devtools-client.ts";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { signIn, signUp } from "../../../../test/support/pages/page-user.ts";
import { until } from "../../../../test/support/until.ts";

let server: FakeService;
beforeEach(async () => {
  server = await startFakeService();
});
afterEach(() => server[Symbol.asyncDispose]());

/** Writes a file with plans that users can choose, and returns its path. */
async function writePlans(plans: Record<string, object>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "rbs-plans-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "plans.json");
  const offered = Object.entries(plans).map(([name, plan]) => [name, { ...plan, selfService: true }]);
  await writeFile(file, JSON.stringify(Object.fromEntries(offered)));
  return file;
}

describe("the list of browsers", () => {
  test("without a plan, the page links to the plans and has no button to open a browser", async () => {
    const { text } = await (await signUp(server.service.url)).get("/dashboard");
    expect(text).toContain("Choose a plan");
    expect(text).toContain(`href="/dashboard/settings"`);
    expect(text).not.toContain(`href="/dashboard/open"`);
  });

  test("without open browsers, the page explains how to open one", async () => {
    const { text } = await (await withPlan(server.service.url)).get("/dashboard");
    expect(text).toContain("No open browsers");
    expect(text).toContain(`href="/dashboard/open"`);
    expect(text).toContain(`href="/dashboard/quick-start"`);
  });

  test("a card shows the kind of browser, its clients, when it closes, and its proxy", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user, {
      Label: "nightly",
      Headless: "true",
      "Proxy.Host": "proxy.example",
      "Proxy.Port": "1",
    });
    const words = await cardText(user, id);
    expect(words).toMatch(/nightly Chromium, headless No clients Closes in (9 min 5\d s|10 min) . Details/);
    expect(words).toMatch(/Started just now/);
    expect(words).toMatch(/Closes [\d-]+ [\d:]+ UTC , unless a client connects/);
    expect(words).toContain("Proxy proxy.example");
    expect(words).toContain("Desktop Not available for headless browsers");
    expect((await user.get("/dashboard")).text).toMatch(/<strong>1<\/strong> of \d+ open/);
    expect((await user.get("/dashboard")).text).toMatch(/Units this month: <strong>1<\/strong>/);
  });

  test("a card shows three tags and counts the others; its details list all tags, and the id to copy", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user, { Tags: "nightly\n shop \n\n<b>x\nfourth" });
    const words = await cardText(user, id);
    expect(words).toMatch(/No clients nightly shop &lt;b&gt;x \+1 more Closes in/);
    expect(words).toMatch(/Tags nightly shop &lt;b&gt;x fourth/);
    expect(words).toContain(`Id ${id} Copy id Address`);
    const { text } = await user.get("/dashboard");
    expect(text).toContain(`data-copy="${id}"`);
    const plain = await open(user);
    expect(await cardText(user, plain)).toMatch(/No clients Closes in/);
    expect(await cardText(user, plain)).not.toContain("Tags");
  });

  test("a card shows that the browser has no label and no proxy, and stays open while in use", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user);
    const [address = ""] = await addressesOf(user);
    await using client = await connectDevtools(address);
    await client.command("Browser.getVersion");
    const words = await until(
      () => cardText(user, id),
      (text) => text.includes("1 client"),
    );
    expect(words).toContain("No label Chromium 1 client Stays open while in use");
    expect(words).toContain("Proxy None");
    expect(words).toContain("Not while a client is connected");
  });

  test.each(["\u200b\u2060", "\u3164", "\u2800 "])("the invisible label %j counts as no label", async (label) => {
    const user = await withPlan(server.service.url);
    const id = await open(user, { Label: label });
    expect(await cardText(user, id)).toContain("No label");
  });

  test("closing a browser twice succeeds, for example with a double click", async () => {
    const [user, other] = [await withPlan(server.service.url), await withPlan(server.service.url)];
    const id = await open(user);
    const path = `/dashboard/browsers/${id}/close`;
    for (let count = 0; count < 2; count += 1) {
      const { status, headers } = await user.post(path);
      expect([status, headers.get("location")]).toEqual([303, "/dashboard?done=closed"]);
    }
    expect((await other.post(path)).status).toBe(404);
    expect((await user.post("/dashboard/browsers/nothing/close")).status).toBe(404);
    expect((await user.post(`/dashboard/browsers/${id}/desktop/stop`)).status).toBe(404);
  });

  test("each click extends a browser by 10 minutes, up to the plan's maximum lifetime", async () => {
    await using limited = await startFakeService({ RBS_PLANS: await writePlans({ hour: { maxLifetimeMinutes: 20 } }) });
    const user = await withPlan(limited.service.url, "hour");
    const id = await open(user, { KeepOpen: "300" });
    expect(await cardText(user, id)).toMatch(/Closes in (4 min 5\d s|5 min) /);
    const extend = () => user.post(`/dashboard/browsers/${id}/extend`);
    const { status, headers } = await extend();
    expect([status, headers.get("location")]).toEqual([303, `/dashboard?done=extended#browser-${id}`]);
    expect(await cardText(user, id)).toMatch(/Closes in (14 min 5\d s|15 min) .*unless a client connects.* Extend /);
    expect((await extend()).status).toBe(303);
    const words = await cardText(user, id);
    expect(words).toMatch(/Closes in (19 min 5\d s|20 min) \(plan limit\)/);
    expect(words).toContain("(your plan's maximum lifetime of 20 min)");
    expect(words).not.toContain("Extend");
    const refused = await extend();
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining("to stay open for 20 min")]);
  });

  test("a browser can't be extended if it has no closing time, is closed, or belongs to another user", async () => {
    const [user, other] = [await withPlan(server.service.url), await withPlan(server.service.url)];
    const id = await open(user, { KeepOpen: "0" });
    expect(await cardText(user, id)).not.toContain("Extend");
    expect((await user.post(`/dashboard/browsers/${id}/extend`)).status).toBe(409);
    expect((await other.post(`/dashboard/browsers/${id}/extend`)).status).toBe(404);
    await user.post(`/dashboard/browsers/${id}/close`);
    expect((await user.post(`/dashboard/browsers/${id}/extend`)).status).toBe(404);
  });

  test("a lifetime chosen by the user isn't described as the plan's limit", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user, { Lifetime: "300" });
    expect(await cardText(user, id)).toMatch(/Closes [\d-]+ [\d:]+ UTC , even if a client is connected/);
  });

  test("the address is copied in full, and shown with the details", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user);
    const [address = ""] = await addressesOf(user);
    expect(address).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/devtools\/browser\/[\w-]{32}$/);
    const { text } = await user.get("/dashboard");
    const [details = ""] = new RegExp(`<details[^>]*id="details-${id}"[^]*?</details>`).exec(text) ?? [];
    expect(details).toContain(address);
    expect(details).not.toMatch(/<details[^>]* open/);
  });

  test("the page shows which limit the account has reached", async () => {
    const file = await writePlans({ tiny: { parallel: 1, unitsPerMonth: 1 } });
    await using limited = await startFakeService({ RBS_PLANS: file });
    const user = await withPlan(limited.service.url, "tiny");
    const limits = async (): Promise<string> => {
      const { text } = await user.get("/dashboard");
      return text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    };
    expect(await limits()).toMatch(/0 of 1 open Units this month: 0 of 1 /);
    await open(user);
    expect(await limits()).toMatch(/1 of 1 open Limit reached Units this month: 1 of 1 All used/);
    const [, id] = /browsers\/([\w-]+)\/close/.exec((await user.get("/dashboard")).text) ?? [];
    await user.post(`/dashboard/browsers/${id}/close`);
    expect(await limits()).toContain("You have used your 1 unit for this month.");
    expect((await user.get("/dashboard")).text).not.toContain(`href="/dashboard/open"`);
    await user.post("/dashboard/settings/additional-units", { "additional-units": "on" });
    expect(await limits()).not.toContain("All used");
  });

  test.each([
    "<script>alert(1)</script>",
    `"><img src=x onerror=alert(1)>`,
    "</li></ul>&amp;",
    "' autofocus onfocus=x",
  ])("the label %s is shown as text", async (label) => {
    const user = await withPlan(server.service.url);
    await open(user, { Label: label });
    const { text } = await user.get("/dashboard");
    const escaped = label
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;");
    expect(text).toContain(`<bdi title="${escaped}">${escaped}</bdi>`);
    expect(text).toContain(`alt="Picture of ${escaped}"`);
    expect(text).not.toContain(label);
  });

  test("the page ignores results in the URL that its forms never produce", async () => {
    const user = await withPlan(server.service.url);
    for (const word of ["constructor", "toString", "<b>x"]) {
      const { status, text } = await user.get(`/dashboard?done=${encodeURIComponent(word)}`);
      expect(status).toBe(200);
      expect(text).not.toContain("notice good");
    }
    expect((await user.get("/dashboard?done=closed")).text).toContain("Browser closed.");
  });
});

describe("a picture", () => {
  test("is sent uncached with its type and age, and doesn't count as activity", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user);
    const due = async () => /data-closes-at="([^"]+)"/.exec((await user.get("/dashboard")).text)?.[1];
    const before = await due();
    const { status, headers, text } = await user.get(`/dashboard/browsers/${id}/picture`);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("image/png");
    expect(headers.get("Cache-Control")).toBe("no-store");
    const ageMs = Date.now() - Date.parse(headers.get("Last-Modified") ?? "");
    expect(ageMs).toBeGreaterThanOrEqual(0);
    expect(ageMs).toBeLessThan(10_000);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    expect(text.slice(1, 4)).toBe("PNG");
    expect(await due()).toBe(before);
    expect(await cardText(user, id)).toContain("No clients");
  });
});

describe("a desktop", () => {
  test("opens with one click under the user's current host name, even if not yet started", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user);
    const { status, headers } = await user.post(`/dashboard/browsers/${id}/desktop`);
    const place = headers.get("Location") ?? "";
    expect(status).toBe(303);
    expect(place).toMatch(/^\/desktop\/[\w-]{32}#\w{8}$/);
    expect((await user.get(place.replace(/#.*/, ""))).status).toBe(200);
    expect(await cardText(user, id)).toContain("Desktop on");
    const again = await user.post(`/dashboard/browsers/${id}/desktop`);
    expect(again.headers.get("Location")).toBe(place);
  });

  test("opens at the current host name even if it was started through another host name", async () => {
    const { email, password } = server.service.firstAccount ?? { email: "", password: "" };
    const user = await signIn(server.service.url, email, password);
    const id = await open(user);
    const [address = ""] = await addressesOf(user);
    const elsewhere = new URL("/api/v1/Browser/StartRemoteDesktop", server.service.url);
    elsewhere.hostname = "localhost";
    const { url } = (await (
      await fetch(elsewhere, {
        method: "POST",
        headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
        body: JSON.stringify({ address }),
      })
    ).json()) as { url: string };
    const { headers } = await user.post(`/dashboard/browsers/${id}/desktop`);
    const { hostname, pathname, hash } = new URL(url);
    expect(hostname).toBe("localhost");
    expect(headers.get("Location")).toBe(pathname + hash);
  });

  test("opens below the public URL's path when the server is behind a proxy", async () => {
    await using behind = await startFakeService({ RBS_PUBLIC_URL: "https://browsers.example/team" });
    const { email, password } = behind.service.firstAccount ?? { email: "", password: "" };
    const user = await signIn(behind.service.url, email, password);
    const { headers } = await user.post(`/dashboard/browsers/${await open(user)}/desktop`);
    expect(headers.get("Location")).toMatch(/^\/team\/desktop\/[\w-]{32}#\w{8}$/);
  });

  test("can be stopped, and isn't available for headless browsers", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user);
    await user.post(`/dashboard/browsers/${id}/desktop`);
    const { headers } = await user.post(`/dashboard/browsers/${id}/desktop/stop`);
    expect(headers.get("Location")).toBe("/dashboard?done=stopped");
    expect(await cardText(user, id)).not.toContain("Desktop on");
    const headless = await open(user, { Headless: "true" });
    const { status, text } = await user.post(`/dashboard/browsers/${headless}/desktop`);
    expect([status, text]).toEqual([409, expect.stringContaining("headless")]);
  });
});

test("closing a browser sends the reason to its clients and removes it from the list", async () => {
  const user = await withPlan(server.service.url);
  const [id, other] = [await open(user), await open(user)];
  const [address = ""] = await addressesOf(user);
  const client = await connectDevtools(address);
  const { status, headers } = await user.post(`/dashboard/browsers/${id}/close`);
  expect([status, headers.get("Location")]).toEqual([303, "/dashboard?done=closed"]);
  expect(await client.closed).toEqual({ code: 1000, reason: "browser closed: requested" });
  expect(await idsOf(user)).toEqual([other]);
});
