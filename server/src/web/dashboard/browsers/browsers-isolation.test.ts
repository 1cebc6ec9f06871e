import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { idsOf, open, withPlan, cardText } from "../../../../test/support/pages/browsers-page.ts";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { type PageUser, newPageUser, signIn } from "../../../../test/support/pages/page-user.ts";

let server: FakeService;
beforeEach(async () => {
  server = await startFakeService();
});
afterEach(() => server[Symbol.asyncDispose]());

describe("another account", () => {
  const ways = ["GET picture", "POST desktop", "POST desktop/stop", "POST close"].map((way) => way.split(" "));

  test.each(ways)(
    "receives the same response from %s %s as for a browser that never existed, and changes nothing",
    async (method, action) => {
      const owner = await withPlan(server.service.url);
      const [id, ended] = [await open(owner, { Label: "mine" }), await open(owner)];
      await owner.post(`/dashboard/browsers/${id}/desktop`);
      await owner.post(`/dashboard/browsers/${ended}/close`);
      const { email, password } = server.service.firstAccount ?? { email: "", password: "" };
      const others = [await withPlan(server.service.url), await signIn(server.service.url, email, password)];
      const ask = async (user: PageUser, browser: string) => {
        const path = `/dashboard/browsers/${browser}/${action}`;
        const { status, text } = method === "GET" ? await user.get(path) : await user.post(path);
        // Everything outside `<main>` depends on the user.
        const [main = ""] = /<main[^]*<\/main>/.exec(text) ?? [];
        return [status, main.replace(/Request ID: [\w-]+/, "")];
      };
      const nothing = await ask(owner, "000000000000");
      expect(nothing[0]).toBe(404);
      // The owner may click Close twice.
      expect(await ask(owner, ended)).toEqual(action === "close" ? [303, ""] : nothing);
      for (const other of others) {
        expect(await ask(other, id)).toEqual(nothing);
        expect(await ask(other, ended)).toEqual(nothing);
        expect((await other.get("/dashboard")).text).not.toContain(id);
      }
      expect(await cardText(owner, id)).toContain("Desktop on");
    },
  );

  test.each(ways)("%s %s requires a sign-in", async (method, action) => {
    const owner = await withPlan(server.service.url);
    const id = await open(owner);
    const visitor = newPageUser(server.service.url);
    const path = `/dashboard/browsers/${id}/${action}`;
    const { status, headers } = method === "GET" ? await visitor.get(path) : await visitor.post(path);
    expect([status, headers.get("Location")]).toEqual([303, expect.stringMatching(/^\/sign-in/)]);
    expect((await visitor.get("/dashboard/events")).status).toBe(303);
    expect(await idsOf(owner)).toEqual([id]);
  });
});
