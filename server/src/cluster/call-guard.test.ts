import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { FakeClock } from "../../test/fakes/fake-clock.ts";
import { NEXT_SECRET, SECRET, startWorker } from "../../test/support/servers/called-worker.ts";
import { callProofs, proveCall } from "../adapters/worker-http/call-proofs.ts";
import { Failure } from "../domain/failure.ts";
import { INTRODUCE, type WorkerStart } from "../ports/cluster/call-proofs.ts";
import {
  CALL_PATH,
  CALLS_VERSION,
  toCallUrl,
  VERSION_HEADER,
  WORKER_HEADER,
} from "../ports/cluster/worker-call-rules.ts";
import type { PlacedOpen } from "../ports/cluster/worker-calls.ts";
import { CallGuard } from "./call-guard.ts";

const OWN = { id: "worker01", instance: "1", url: "http://10.0.0.21:8080/" };

type Sent = { readonly url: string; readonly headers: Record<string, string>; readonly body: string };

/** Starts an HTTP server that isn't the worker. A mistake or an attack has put its URL in the table of workers. */
async function listenAt(answer: (sent: Sent) => Promise<Response> | Response) {
  const seen: Sent[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = "", [VERSION_HEADER.toLowerCase()]: version } = request.headers;
    const sent = {
      url: request.url ?? "",
      headers: { Authorization: authorization, [VERSION_HEADER]: String(version) },
      body: await text(request),
    };
    seen.push(sent);
    const answered = await answer(sent);
    response.writeHead(answered.status).end(await answered.text());
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function passOn(url: string, { url: path, headers, body }: Sent): Promise<Response> {
  const all = { ...headers, "Content-Type": "application/json" };
  return fetch(url + path, { method: "POST", headers: all, ...(body !== "" && { body }) });
}

test("a server at the wrong worker URL receives no secrets, and can't forward calls to the worker", async () => {
  let called = 0;
  const { client, own, url } = await startWorker({
    close: async () => void (called += 1),
    hasDesktop: async () => true,
  });
  const wrong = await listenAt((sent) => passOn(url, sent));
  const misled = client.at({ ...own, url: wrong.url });
  const [owner, selector] = [{ id: "ac_1" }, { address: "ws://127.0.0.1/devtools/browser/canary" }];
  await expect(misled.close(owner, selector)).rejects.toMatchObject({ isOutcomeUnknown: false });
  await expect(misled.hasDesktop("canary")).rejects.toMatchObject({ isOutcomeUnknown: false });
  await expect(client.verify({ ...own, url: wrong.url }, new AbortController().signal)).rejects.toThrow(
    "cluster secret",
  );
  expect(wrong.seen.map((sent) => sent.url)).toEqual(Array(3).fill(CALL_PATH + INTRODUCE));
  const told = JSON.stringify(wrong.seen);
  expect([told.includes(SECRET), told.includes("canary"), called]).toEqual([false, false, 0]);
  // The secret is correct, so it can't be the reason why calls fail.
  expect(await client.at(own).hasDesktop("k")).toBe(true);
});

test("a worker returns 421 for another worker's calls, and opens no browsers for calls to its earlier start", async () => {
  let called = 0;
  const count = async (): Promise<never> => {
    called += 1;
    throw new Failure("BrowserNotFound", "It is called.");
  };
  const { client, own, url, post } = await startWorker({ close: count, openPlaced: count });
  const [never, owner, selector] = [new AbortController().signal, { id: "ac_1" }, { id: "br_1" }];
  const open = { browserId: "br_1", maxMs: 1000 } as PlacedOpen;
  const refused = { name: "WorkerUnreachable", isOutcomeUnknown: false, isMisdirected: true };
  const other = { id: "worker02", instance: "1", url };
  const ofOther = {
    ...refused,
    message: expect.stringMatching(/worker that the call is for.*RBS_WORKER_URL of its own/),
  };
  await expect(client.at(other).close(owner, selector)).rejects.toMatchObject(ofOther);
  await expect(client.verify(other, never)).rejects.toMatchObject(ofOther);
  const restarted = client.at({ ...own, instance: "2" });
  await expect(restarted.openPlaced(open, never)).rejects.toMatchObject(refused);
  expect(called).toBe(0);
  // The browser may be running on the restarted worker, whose new report the front-end hasn't read.
  await expect(restarted.close(owner, selector)).rejects.toMatchObject({ failure: "BrowserNotFound" });
  // The guard accepts the call, which then fails because of its arguments.
  await expect(client.at(own).openPlaced(open, never)).rejects.toMatchObject({ isMisdirected: false });
  expect((await post("close", "[]", { [WORKER_HEADER]: "worker02" })).status).toBe(421);
});

test.each<[string, (sent: Sent) => Response]>([
  ["nothing", () => new Response("")],
  ["no proof", () => Response.json({ start: "a", elapsedMs: 1 })],
  [
    "its own proof",
    ({ headers }) => Response.json({ start: "a", elapsedMs: 1, proof: headers["Authorization"]?.slice(-43) }),
  ],
])("a server that responds to an introduction with %s receives no calls", async (_name, answer) => {
  const { client, own } = await startWorker({});
  const wrong = await listenAt(answer);
  const misled = client.at({ ...own, url: wrong.url });
  await expect(misled.hasDesktop("canary")).rejects.toThrow(`didn't prove that it is the worker ${own.id}`);
  expect(wrong.seen).toHaveLength(1);
});

test("an endless response to an introduction is cut off", async () => {
  const { client, own } = await startWorker({});
  const wrong = await listenAt(() => new Response("x".repeat(20_000)));
  await expect(client.at({ ...own, url: wrong.url }).hasDesktop("k")).rejects.toThrow("it has more than");
});

test("a worker at another worker's URL, or with another secret, receives no calls", async () => {
  const { client, own } = await startWorker({ hasDesktop: async () => true });
  await expect(client.at({ ...own, id: "worker02" }).hasDesktop("k")).rejects.toMatchObject({
    isOutcomeUnknown: false,
  });
  const { worker } = await startWorker({ hasDesktop: async () => true }, { secret: `${SECRET}x` });
  await expect(worker.hasDesktop("k")).rejects.toMatchObject({ isOutcomeUnknown: false });
});

function introductionOf({ id, url }: typeof OWN, secret = SECRET) {
  const target = { worker: id, url: toCallUrl(url, INTRODUCE) };
  return proveCall(secret, target, { start: "", elapsedMs: 0 }, "");
}

/** Returns what a front-end learns from an introduction: the worker's start and its clock. */
function meet(guard: CallGuard): WorkerStart {
  return guard.introduce(introductionOf(OWN).header);
}

function newGuard(clock = new FakeClock()) {
  const guard = new CallGuard({ secrets: [SECRET, NEXT_SECRET], worker: OWN, proofs: callProofs, clock });
  /** Returns whether the worker accepts a call. */
  const isAccepted = (header: string, name = "close"): boolean => {
    try {
      return guard.check(name, header, CALLS_VERSION) !== undefined;
    } catch (error) {
      if (error instanceof Failure && error.failure === "AuthorizationError") return false;
      throw error;
    }
  };
  return { guard, clock, isAccepted };
}

const CALL = { worker: OWN.id, url: toCallUrl(OWN.url, "close") };

test("a proof is accepted once, and only for its call, worker, URL and start", () => {
  const { guard, isAccepted } = newGuard();
  const start = meet(guard);
  const { header } = proveCall(SECRET, CALL, start, "[]");
  expect([isAccepted(header, "change"), isAccepted(header), isAccepted(header)]).toEqual([false, true, false]);
  for (const target of [
    { ...CALL, worker: "worker02" },
    { ...CALL, url: toCallUrl("http://10.0.0.22:8080/", "close") },
    { ...CALL, url: toCallUrl(OWN.url, "change") },
  ])
    expect(isAccepted(proveCall(SECRET, target, start, "[]").header)).toBe(false);
  expect(isAccepted(proveCall(SECRET, CALL, { ...start, start: "a".repeat(22) }, "[]").header)).toBe(false);
  expect(isAccepted(introductionOf(OWN).header)).toBe(false);
  expect(isAccepted(proveCall(`${SECRET}x`, CALL, start, "[]").header)).toBe(false);
  expect(isAccepted(proveCall(NEXT_SECRET, CALL, start, "[]").header)).toBe(true);
});

test("a proof with any changed field is refused", () => {
  const { guard, isAccepted } = newGuard();
  const { header } = proveCall(SECRET, CALL, meet(guard), "[]");
  for (const [at, char] of header.split("").entries()) {
    if (at < "Cluster ".length) continue;
    const changed = header.slice(0, at) + (char === "1" ? "2" : "1") + header.slice(at + 1);
    expect([at, isAccepted(changed)]).toEqual([at, false]);
  }
  expect(isAccepted(header)).toBe(true);
});

test("a proof is valid for half a minute, and its call can never be repeated", async () => {
  const { guard, clock, isAccepted } = newGuard();
  const start = meet(guard);
  const [used, late, tooLate] = [1, 2, 3].map(() => proveCall(SECRET, CALL, start, "[]").header) as [
    string,
    string,
    string,
  ];
  const early = proveCall(SECRET, CALL, { ...start, elapsedMs: start.elapsedMs + 30_001 }, "[]").header;
  expect([isAccepted(used), isAccepted(early)]).toEqual([true, false]);
  await clock.pass(30_000);
  expect([isAccepted(late), isAccepted(used)]).toEqual([true, false]);
  await clock.pass(1);
  expect([isAccepted(tooLate), isAccepted(early)]).toEqual([false, true]);
  for (let s = 0; s < 200; s += 10) {
    await clock.pass(10_000);
    expect([used, late, early].some((header) => isAccepted(header))).toBe(false);
    expect(isAccepted(proveCall(SECRET, CALL, meet(guard), "[]").header)).toBe(true);
  }
});

test("a body that doesn't match the proof is refused, and no call is made", async () => {
  let called = 0;
  const { own, url } = await startWorker({ acknowledge: async () => void (called += 1) });
  const ask = (name: string, header: string, body: string): Promise<Response> => {
    const headers = { Authorization: header, [VERSION_HEADER]: String(CALLS_VERSION) };
    return passOn(url, { url: CALL_PATH + name, headers, body });
  };
  const start = (await (await ask(INTRODUCE, introductionOf(own).header, "")).json()) as WorkerStart;
  const target = { worker: own.id, url: toCallUrl(own.url, "acknowledge") };
  const prove = (): string => proveCall(SECRET, target, start, '["br_1"]').header;
  expect((await ask("acknowledge", prove(), '["br_2"]')).status).toBe(401);
  expect([(await ask("acknowledge", prove(), '["br_1"]')).status, called]).toEqual([200, 1]);
});

test("calls work even if clocks differ or have stopped", async () => {
  const clock = new FakeClock("2031-01-01T00:00:00Z");
  const { worker, own } = await startWorker({ hasDesktop: async () => true }, { clock });
  expect(await worker.hasDesktop("k")).toBe(true);
  clock.set(600_000);
  expect(await worker.hasDesktop("k")).toBe(true);
  await clock.pass(3_600_000);
  expect([await worker.hasDesktop("k"), own.id]).toEqual([true, "worker01"]);
});

test("a busy worker remembers a limited number of calls, and then requires a new introduction", () => {
  const { guard, isAccepted } = newGuard();
  const first = meet(guard);
  let calls = 0;
  while (isAccepted(proveCall(SECRET, CALL, first, "").header)) calls += 1;
  expect(calls).toBe(10_000);
  expect(isAccepted(proveCall(SECRET, CALL, meet(guard), "").header)).toBe(true);
});
