import { once } from "node:events";
import { type RequestListener, type Server, type ServerResponse, createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { until } from "../../../test/support/until.ts";
import { ByteResponse, limitUnsentAnswers, setAnswerOwner, type UnsentLimits } from "./unsent-answers.ts";

const MIB = 2 ** 20;

/** Far more bytes than the kernel buffers for a client that doesn't read. */
const LARGE = Buffer.alloc(64 * MIB);

const TEXT = "ä".repeat(16 * MIB);

const LIMITS: UnsentLimits = { total: 10 * LARGE.length, perOwner: 2.5 * LARGE.length, stallMs: 30_000 };

let server: Server;
let clock: FakeClock;
let log: RecordingLog;
let answers: ServerResponse[];
let clients: Socket[];

/**
 * Responds according to the path, whose first segment is the account: `/a` sends many bytes, `/a/text` a long text,
 * `/a/stream` chunks, and `/a/wait` no data at first.
 */
const answer: RequestListener = ({ url = "" }, response) => {
  const [, account = "", how] = url.split("/");
  if (account !== "") setAnswerOwner(response, account);
  answers.push(response);
  if (how === "wait") return;
  if (how === "text") return void response.end(TEXT);
  if (how === undefined) return void response.end(LARGE);
  const write = (): void => {
    while (!response.destroyed && response.write(Buffer.alloc(MIB)));
  };
  response.on("drain", write);
  write();
};

async function listen(limits: Partial<UnsentLimits> = {}): Promise<void> {
  const toCaller = (): string => "a stranger";
  const follow = limitUnsentAnswers({ limits: { ...LIMITS, ...limits }, toCaller, clock, log });
  server = createServer({ ServerResponse: ByteResponse }, (request, response) => {
    follow(request, response);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

beforeEach(() => {
  clock = new FakeClock();
  log = new RecordingLog();
  [answers, clients] = [[], []];
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  server.close();
  await once(server, "close");
  // The checks stop when no responses are in progress.
  const pass = async (): Promise<number> => {
    await clock.pass(1000);
    return clock.pending;
  };
  await until(pass, (pending) => pending === 0);
});

/** Sends a request without reading the response. */
async function ask(path: string): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  clients.push(client.on("error", () => {}).pause());
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const before = answers.length;
  await until(
    () => answers.length,
    (count) => count > before,
  );
  return client;
}

/** Returns the limits that caused responses to be aborted. */
function ended(): (string | undefined)[] {
  return log.lines.map(({ facts }) => facts?.["limit"] as string);
}

/** Returns whether each response is still open. */
function open(): boolean[] {
  return answers.map(({ destroyed }) => !destroyed);
}

test.each(["/a", "/a/stream", "/"])("a response that makes no progress for 30 s is aborted: %s", async (path) => {
  await listen();
  const client = await ask(path);
  await clock.pass(30_000);
  expect(ended()).toEqual([]);
  await clock.pass(1000);
  expect(ended()).toEqual(["stalled"]);
  expect([...log.sampled]).toEqual(["answer.ended"]);
  await once(client.resume(), "close");
});

/** Reads this many bytes of a response, then stops reading. */
async function read(client: Socket, bytes: number): Promise<void> {
  const before = client.bytesRead;
  client.resume();
  while (client.bytesRead < before + bytes) await once(client, "data");
  client.pause();
}

test("a response that a client reads slowly isn't aborted", async () => {
  await listen({ stallMs: 3000 });
  const client = await ask("/a");
  for (let second = 0; second < 9; second += 1) {
    await read(client, MIB);
    await clock.pass(1000);
  }
  expect([open(), ended()]).toEqual([[true], []]);
});

test("a long text is buffered as bytes, and arrives unchanged", async () => {
  await listen();
  const before = process.memoryUsage().arrayBuffers;
  const client = await ask("/a/text");
  const bytes = Buffer.byteLength(TEXT);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1.2 * bytes);
  client.end();
  const [, text] = String(Buffer.concat(await client.toArray())).split("\r\n\r\n");
  expect(text === TEXT).toBe(true);
});

test("a request that has no response yet isn't aborted", async () => {
  await listen();
  await ask("/a/wait");
  await clock.pass(600_000);
  expect([open(), ended()]).toEqual([[true], []]);
});

/** Time for two checks, after which the clients' speeds are known. */
const KNOWN_MS = 2000;

test("an account's unread responses don't affect other accounts", async () => {
  await listen();
  for (const path of ["/a", "/b", "/a", "/", "/a", "/a"]) await ask(path);
  await clock.pass(KNOWN_MS);
  expect(ended()).toEqual(["owner", "owner"]);
  expect(answers.map(({ req, destroyed }) => `${req.url} ${destroyed}`).toSorted()).toEqual([
    ...["/ false", "/a false", "/a false", "/a true", "/a true", "/b false"],
  ]);
});

test("a single response can exceed its account's limit", async () => {
  await listen({ perOwner: MIB });
  await ask("/a");
  await clock.pass(KNOWN_MS);
  expect([open(), ended()]).toEqual([[true], []]);
  await ask("/a");
  await clock.pass(KNOWN_MS);
  expect(ended()).toEqual(["owner"]);
});

test("an account that reads quickly can briefly exceed its limit", async () => {
  await listen({ perOwner: MIB });
  const both = [await ask("/a"), await ask("/a")];
  await clock.pass(1000);
  await Promise.all(both.map((client) => read(client, LARGE.length)));
  await clock.pass(KNOWN_MS);
  expect(ended()).toEqual([]);
});

test("if the server has too many unsent bytes, the slowest responses are aborted first", async () => {
  await listen({ total: 3.5 * LARGE.length });
  const [fast, slow] = [await ask("/a"), await ask("/b")];
  await ask("/c");
  for (let second = 0; second < 2; second += 1) {
    await clock.pass(1000);
    await read(fast, 8 * MIB);
    await read(slow, MIB);
  }
  await clock.pass(1000);
  await ask("/d");
  expect([open(), ended()]).toEqual([[true, true, false, true], ["server"]]);
  // The speed of the new responses isn't known yet.
  await ask("/e");
  expect(open()).toEqual([true, false, false, true, true]);
});

test("if the server has too many unsent bytes, responses to accounts over their share are aborted first", async () => {
  await listen({ total: 3.5 * LARGE.length, perOwner: 1.5 * LARGE.length });
  await ask("/b");
  await clock.pass(KNOWN_MS);
  for (const path of ["/a", "/a", "/c"]) await ask(path);
  expect(ended()).toEqual(["server"]);
  expect(answers.filter(({ destroyed }) => destroyed).map(({ req }) => req.url)).toEqual(["/a"]);
});
