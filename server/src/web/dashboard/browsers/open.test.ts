import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { startDashboardRig } from "../../../../test/support/pages/dashboard-rig.ts";
import { type PageUser, signIn, signUp } from "../../../../test/support/pages/page-user.ts";
import { OPEN_FIELDS } from "./open-fields.ts";

let fake: FakeService;
let operator: PageUser;
beforeEach(async () => {
  fake = await startFakeService();
  const { email = "", password = "" } = fake.service.firstAccount ?? {};
  operator = await signIn(fake.service.url, email, password);
});
afterEach(() => fake[Symbol.asyncDispose]());

async function sessions(): Promise<Record<string, unknown>[]> {
  return (await fake.send("GET", "/api/v1/Browser/Get")).body["sessions"] as Record<string, unknown>[];
}

describe("the form that opens a browser", () => {
  test("has a field for every option in the contract", async () => {
    const { OpenOptions, Proxy, Screen } = contract.components.schemas;
    const groups = { Proxy, Screen };
    const { text } = await operator.get("/dashboard/open");
    const inner = Object.entries(groups).flatMap(([group, { properties }]) =>
      Object.keys(properties).map((name) => `${group}.${name}`),
    );
    const simple = Object.keys(OpenOptions.properties).filter((name) => !Object.hasOwn(groups, name));
    for (const name of [...simple, ...inner]) expect(text).toContain(`name="${name}"`);
    expect(OPEN_FIELDS).toHaveLength(Object.keys(OpenOptions.properties).length);
  });

  test("shows the default of each field", async () => {
    const { text } = await operator.get("/dashboard/open");
    const hintOf = (name: string): string =>
      new RegExp(`id="option-${name}-hint"[^>]*>([^]*?)</p>`).exec(text)?.[1] ?? "";
    expect(hintOf("keepopen")).toContain("The default is 30.");
    expect(text).toMatch(/name="KeepOpen"[^>]*value="600"/);
    expect(hintOf("browser")).toContain("The default is Chromium (2).");
    expect(hintOf("stealth")).toContain("The default is <code>true</code>.");
    for (const [, more = ""] of text.matchAll(/<details class="hint">([^]*?)<\/details>/g))
      expect(more).not.toMatch(/default is|By default/);
  });

  test("is replaced with an explanation if the account has no plan or no units", async () => {
    const user = await signUp(fake.service.url);
    const { status, text } = await user.get("/dashboard/open");
    expect(status).toBe(200);
    expect(text).toContain("Choose a plan to start");
    expect(text).toContain(`href="/dashboard/settings"`);
    expect(text).not.toContain(`action="/dashboard/open"`);

    await using rig = await startDashboardRig();
    const member = await rig.newMember("used-up@example.com");
    await rig.services.store.accounts.change(member.id, { units: 0 });
    const used = (await member.user.get("/dashboard/open")).text;
    expect(used).toMatch(/You have used your 0 units for this month/);
    expect(used).toContain(`href="/dashboard/settings#additional-units"`);
    expect(used).not.toContain(`action="/dashboard/open"`);
  });

  test("opens a browser with the defaults when it is submitted empty", async () => {
    const { status, headers } = await operator.post("/dashboard/open");
    expect([status, headers.get("location")]).toEqual([303, "/dashboard?done=opened"]);
    expect(await sessions()).toMatchObject([{ label: null }]);
  });

  test("converts each value to the contract's type", async () => {
    const entered = {
      Label: "mine",
      Browser: "3",
      Headless: "true",
      Stealth: "false",
      KeepOpen: "0.5",
      Tags: "nightly\r\n a, b \r\n",
      Lifetime: "90.5",
      Args: "--lang=de\r\n\r\n--window-size=800,600\n",
      IgnoredDefaultArgs: "--mute-audio",
      "Proxy.Host": "proxy.example",
      "Proxy.Port": "8080",
      "Proxy.Username": "someone",
    };
    expect((await operator.post("/dashboard/open", entered)).status).toBe(303);
    expect(await sessions()).toMatchObject([{ label: "mine", tags: ["nightly", "a, b"] }]);
  });

  test("shows errors next to the fields, keeps the values, and opens no browser", async () => {
    const entered = {
      Label: `"><script>alert(1)</script>`,
      KeepOpen: "soon",
      Args: "--lang=de\n--gpu-launcher=x",
      "Proxy.Host": "proxy.example",
      "Proxy.Port": "0",
      "Proxy.Password": "canary-password",
    };
    const { status, text } = await operator.post("/dashboard/open", entered);
    expect(status).toBe(400);
    expect(text).toMatch(/Keep open must be a number, not &quot;soon&quot;/);
    expect(text).toMatch(/id="option-keepopen"[^>]*aria-invalid="true"/);
    expect(text).toContain(`value="soon"`);
    expect(text).toMatch(/id="option-proxy-port"[^>]*aria-invalid="true"/);
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain("canary-password");
    expect(await sessions()).toEqual([]);
  });

  test("links from its summary to each field with an error", async () => {
    const entered = { KeepOpen: "soon", "Proxy.Host": "proxy.example", "Proxy.Port": "0" };
    const { text } = await operator.post("/dashboard/open", entered);
    const links = [...text.matchAll(/<a href="#([\w-]+)">([^<]+)</g)].map(([, id, words]) => [id, words]);
    expect(links).toEqual([
      ["option-keepopen", "Keep open"],
      ["option-proxy-port", "Proxy: port"],
    ]);
    for (const [id] of links) expect(text).toMatch(new RegExp(`id="${id}-fault" role="alert"`));
  });

  test("names the tag that is too long", async () => {
    const { status, text } = await operator.post("/dashboard/open", { Tags: `short\n${"x".repeat(129)}` });
    expect(status).toBe(400);
    expect(text).toMatch(/Tags entry 2: /);
  });

  test("names the list entry with a rejected argument", async () => {
    const { status, text } = await operator.post("/dashboard/open", { Args: "--lang=de\n--gpu-launcher=x" });
    expect(status).toBe(400);
    expect(text).toMatch(/Args entry 2: .*--gpu-launcher/);
  });

  test("explains what to do if the account has no plan, and opens no browser", async () => {
    const user = await signUp(fake.service.url);
    const { status, text } = await user.post("/dashboard/open");
    expect(status).toBe(403);
    expect(text).toContain("no active subscription");
    expect(text).toContain(`href="/dashboard/settings"`);
    expect(await sessions()).toEqual([]);
  });

  test("reports the API's error for a browser kind that isn't installed", async () => {
    const { status, text } = await operator.post("/dashboard/open", { Browser: "0" });
    expect(status).toBe(503);
    expect(text).toContain("Chrome");
    expect(await sessions()).toEqual([]);
  });
});
