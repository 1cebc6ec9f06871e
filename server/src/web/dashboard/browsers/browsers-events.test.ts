import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { addressesOf, open, withPlan } from "../../../../test/support/pages/browsers-page.ts";
import { connectDevtools } from "../../../../test/support/browsers/devtools-client.ts";
import { type FakeService, startFakeService } from "../../../../test/support/servers/fake-service.ts";
import { PASSWORD, type PageUser, signIn } from "../../../../test/support/pages/page-user.ts";
import { until } from "../../../../test/support/until.ts";

/** Maximum wait for an event, in ms: more than reporting a change takes, but far less than the heartbeat interval. */
const EVENT_MS = 5000;

let server: FakeService;
beforeEach(async () => {
  server = await startFakeService();
});
afterEach(() => server[Symbol.asyncDispose]());

describe("the event stream", () => {
  /** Subscribes as a page does. */
  async function follow(user: PageUser) {
    const leaving = new AbortController();
    const answer = await fetch(new URL("/dashboard/events", server.service.url), {
      headers: { Cookie: user.cookies() },
      signal: leaving.signal,
    });
    expect(answer.status).toBe(200);
    let text = "";
    const ended = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) text += decoder.decode(chunk);
    })().catch((error: unknown) => {
      if (!leaving.signal.aborted) throw error;
    });
    let seen = 0;
    const count = (): number => text.match(/^event: changed$/gm)?.length ?? 0;
    return {
      count,
      ended,
      /** Waits for the next event. */
      async next() {
        await until(count, (now) => now > seen, EVENT_MS);
        seen = count();
      },
      [Symbol.asyncDispose]: async () => {
        leaving.abort();
        await ended;
      },
    };
  }

  test("reports when a browser opens, is used or closes, and when its desktop is started or stopped", async () => {
    const user = await withPlan(server.service.url);
    await using events = await follow(user);
    const id = await open(user);
    await events.next();
    const client = await connectDevtools((await addressesOf(user))[0] ?? "");
    await events.next();
    await client[Symbol.asyncDispose]();
    await events.next();
    await user.post(`/dashboard/browsers/${id}/desktop`);
    await events.next();
    await user.post(`/dashboard/browsers/${id}/desktop/stop`);
    await events.next();
    await user.post(`/dashboard/browsers/${id}/close`);
    await events.next();
    expect(events.count()).toBeLessThanOrEqual(12);
  });

  test("doesn't report other accounts' changes", async () => {
    const [user, other] = [await withPlan(server.service.url), await withPlan(server.service.url)];
    await using events = await follow(user);
    await using others = await follow(other);
    await open(other);
    await others.next();
    expect(events.count()).toBe(0);
  });

  test("ends no later than the first change after its session ends", async () => {
    const user = await withPlan(server.service.url);
    const id = await open(user);
    const other = await signIn(server.service.url, user.email, PASSWORD);
    await using events = await follow(user);
    await user.post("/sign-out");
    await other.post(`/dashboard/browsers/${id}/close`);
    await events.ended;
    expect(events.count()).toBe(0);
  });

  test("ends cleanly when the server stops, without delaying the stop", async () => {
    const user = await withPlan(server.service.url);
    await using events = await follow(user);
    await server.service.stop();
    await expect(events.ended).resolves.toBeUndefined();
  });
});
