import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FakeClock } from "../../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../../test/fakes/recording-log.ts";
import { until } from "../../../../test/support/until.ts";
import type { Account } from "../../../domain/account/account.ts";
import type { ServiceApp } from "../../../api/app.ts";
import { PageError } from "../../kit/errors.ts";
import { AccountEvents } from "../../../services/store/account-events.ts";
import { newGuards } from "../../kit/guards.ts";
import { mountEvents } from "./events.ts";

const PATH = "/dashboard/events";

/** Node's response object, which the server attributes to an account. */
const ENV = { outgoing: {} };

/** A client that reads a stream. */
type Follower = {
  /** Names of the events so far. */
  readonly events: string[];
  /** Everything received so far. */
  text(): string;
  readonly isOver: () => boolean;
  leave(): Promise<void>;
};

let clock: FakeClock;
let events: AccountEvents;
let stopping: AbortController;
let log: RecordingLog;
/** Accounts by session secret. */
let sessions: Map<string, Account>;
let app: ServiceApp;
let followers: Follower[];

beforeEach(() => {
  clock = new FakeClock();
  events = new AccountEvents();
  stopping = new AbortController();
  log = new RecordingLog();
  sessions = new Map(["ann", "ben"].map((id) => [id, { id } as Account]));
  app = new Hono<{ Bindings: HttpBindings; Variables: { requestId: string } }>();
  app.onError((error, c) => c.text("", error instanceof PageError ? error.status : 500));
  followers = [];
  const find = async (secret: string) => sessions.get(secret);
  const isAlive = async (secret: string) => sessions.get(secret) !== undefined;
  const guards = newGuards(app, {
    site: { pathPrefix: "", assets: "", isSignUpOpen: false, headers: {} },
    sessions: { find } as Parameters<typeof newGuards>[1]["sessions"],
    cookie: { read: (c) => [c.req.header("Cookie") ?? ""], write() {}, clear() {} },
    addressGuard: { checkHost() {}, checkOrigin() {} },
    clock,
  });
  mountEvents(guards, { events, sessions: { isAlive }, shutdown: stopping.signal, clock, log });
});

afterEach(async () => {
  await Promise.all(followers.map((one) => one.leave()));
  await clock.pass(0);
  expectNothingHeld();
});

function expectNothingHeld(): void {
  expect([events.subscribed, clock.pending]).toEqual([0, 0]);
}

async function ask(secret = "ann", headers: Record<string, string> = {}): Promise<Response> {
  return app.request(PATH, { headers: { Cookie: secret, ...headers } }, ENV);
}

async function follow(secret?: string): Promise<Follower> {
  const answer = await ask(secret);
  expect(answer.status).toBe(200);
  const reader = (answer.body ?? new ReadableStream()).getReader();
  const decoder = new TextDecoder();
  let text = "";
  let isOver = false;
  const reading = (async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += decoder.decode(chunk.value);
    isOver = true;
  })();
  const follower: Follower = {
    get events() {
      return [...text.matchAll(/^event: (.*)$/gm)].map(([, name = ""]) => name);
    },
    text: () => text,
    isOver: () => isOver,
    async leave() {
      await reader.cancel();
      await reading;
    },
  };
  followers.push(follower);
  await clock.pass(0);
  return follower;
}

/** Emits a change and waits until the clients have received it. */
async function change(accountId: string): Promise<void> {
  events.emit(accountId);
  await clock.pass(0);
}

describe("a stream of changes", () => {
  test("is not cached, and starts immediately", async () => {
    const { headers, body } = await ask();
    expect(headers.get("Content-Type")).toBe("text/event-stream");
    expect(headers.get("Cache-Control")).toBe("no-store");
    const reader = body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("retry: 3000\n\n");
    await reader?.cancel();
  });

  test("reports only its own account's changes", async () => {
    const [ann, ben] = [await follow("ann"), await follow("ben")];
    await change("ann");
    await clock.pass(200);
    expect([ann.events, ben.events]).toEqual([["changed"], []]);
  });

  test("reports a burst of changes only once, and reports later changes separately", async () => {
    const ann = await follow();
    for (let count = 0; count < 100; count += 1) {
      await change("ann");
      await clock.pass(1);
    }
    await clock.pass(200);
    expect(ann.events).toEqual(["changed"]);
    await change("ann");
    await clock.pass(200);
    expect(ann.events).toEqual(["changed", "changed"]);
  });

  test("reports continuous changes five times per second", async () => {
    const ann = await follow();
    for (let ms = 0; ms < 2000; ms += 10) {
      await change("ann");
      await clock.pass(10);
    }
    expect(ann.events.length).toBeGreaterThanOrEqual(9);
    expect(ann.events.length).toBeLessThanOrEqual(10);
  });

  test("sends a heartbeat every 20 s", async () => {
    const ann = await follow();
    await clock.pass(60_000);
    expect(ann.text().match(/^: still here$/gm)).toHaveLength(3);
    expect(ann.events).toEqual([]);
  });

  test("ends within 20 s after its session or account ends, and reports no more changes", async () => {
    const ann = await follow();
    sessions.delete("ann");
    await clock.pass(19_999);
    expect(ann.isOver()).toBe(false);
    await clock.pass(1);
    expect(ann.isOver()).toBe(true);
    expect(ann.text()).toBe("retry: 3000\n\n");
  });

  test("ends at the first change after its session has ended", async () => {
    const ann = await follow();
    sessions.delete("ann");
    await change("ann");
    await clock.pass(200);
    expect([ann.isOver(), ann.events]).toEqual([true, []]);
  });

  test("ends when its client disconnects", async () => {
    const ann = await follow();
    await change("ann");
    await clock.pass(100);
    await ann.leave();
    await clock.pass(0);
    expectNothingHeld();
  });

  test("ends immediately when the server stops, and no new stream starts", async () => {
    const all = [await follow("ann"), await follow("ben")];
    events.emit("ben");
    stopping.abort();
    await clock.pass(0);
    expect(all.map((one) => one.isOver())).toEqual([true, true]);
    expectNothingHeld();
    expect((await ask()).status).toBe(503);
  });

  test("is limited to ten per account: an additional stream ends the oldest", async () => {
    const ben = await follow("ben");
    const ann: Follower[] = [];
    for (let count = 0; count < 12; count += 1) ann.push(await follow("ann"));
    expect(ann.map((one) => one.isOver())).toEqual([true, true, ...Array<boolean>(10).fill(false)]);
    expect(ben.isOver()).toBe(false);
    await change("ann");
    await clock.pass(200);
    const reported = ann.map((one) => one.events.join());
    expect(reported).toEqual(["evicted", "evicted", ...Array<string>(10).fill("changed")]);
  });

  test("ends one second after being evicted if the client isn't reading", async () => {
    await ask();
    for (let count = 0; count < 10; count += 1) await follow("ann");
    expect(clock.pending).toBe(11);
    await clock.pass(1000);
    expect(clock.pending).toBe(10);
  });

  test("doesn't start for a HEAD request", async () => {
    const { status } = await app.request(PATH, { method: "HEAD", headers: { Cookie: "ann" } }, ENV);
    expect(status).toBe(200);
    expectNothingHeld();
  });

  test("is only for this server's pages; other sites' requests end no streams", async () => {
    const ann: Follower[] = [];
    for (let count = 0; count < 10; count += 1) ann.push(await follow("ann"));
    expect((await ask("ann", { "Sec-Fetch-Site": "same-site" })).status).toBe(403);
    expect(ann.some((one) => one.isOver())).toBe(false);
  });

  test("ends with a log entry if the sessions can't be read", async () => {
    const ann = await follow();
    sessions.get = () => {
      throw new Error("The disk is full.");
    };
    await change("ann");
    await clock.pass(200);
    expect(ann.isOver()).toBe(true);
    expect(ann.text()).not.toContain("disk");
    expect(log.lines.map(({ event }) => event)).toEqual(["events.failed"]);
  });
});

test("a client's broken connection leaves nothing behind", async () => {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(PATH, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const leaving = new AbortController();
  await fetch(url, { headers: { Cookie: "ann" }, signal: leaving.signal });
  await until(
    () => events.subscribed,
    (count) => count === 1,
  );
  leaving.abort();
  await until(
    () => events.subscribed,
    (count) => count === 0,
  );
  expectNothingHeld();
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
});
