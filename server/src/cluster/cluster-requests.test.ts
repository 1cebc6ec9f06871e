import { expect, test } from "vitest";
import { NEXT_SECRET, SECRET, startWorker } from "../../test/support/servers/called-worker.ts";
import { Failure } from "../domain/failure.ts";
import {
  CALLS_VERSION,
  FIRST_PROVEN,
  isCompatible,
  VERSION_HEADER,
  type WorkerCallName,
} from "../ports/cluster/worker-call-rules.ts";
import { readRequest, withRequest } from "../api/request-context.ts";

const OWNER = { id: "ac_1" };
const BY_ID = { id: "br_1" };

test("both secrets are accepted during a rotation; without a valid secret, nothing is called", async () => {
  let called = 0;
  const calls = { acknowledge: async () => void (called += 1) };
  for (const secret of [SECRET, NEXT_SECRET]) await (await startWorker(calls, { secret })).worker.acknowledge("br_1");
  expect(called).toBe(2);
  const { worker, post } = await startWorker(calls, { secret: `${SECRET}x` });
  await expect(worker.acknowledge("br_1")).rejects.toMatchObject({
    isOutcomeUnknown: false,
    message: expect.stringContaining("RBS_CLUSTER_SECRET"),
  });
  const answers = await Promise.all(
    ["", "Bearer", `Bearer ${SECRET.slice(1)}`, `Basic ${SECRET}`].flatMap((Authorization) =>
      ["acknowledge", "unknown"].map((name) => post(name, '["br_1"]', { Authorization })),
    ),
  );
  for (const answer of answers) expect(answer.status).toBe(401);
  expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toHaveLength(1);
  expect(called).toBe(2);
});

test("only front-ends of the first version may send the secret itself", async () => {
  const { post } = await startWorker({ acknowledge: async () => {} });
  const ask = async (version: number): Promise<number> =>
    (await post("acknowledge", '["br_1"]', { [VERSION_HEADER]: String(version) })).status;
  expect([await ask(1), await ask(FIRST_PROVEN), await ask(FIRST_PROVEN + 1)]).toEqual([200, 401, 401]);
});

test.each(["nothing", "toString", "CLOSE", "close/now"])("the call %s is unknown", async (name) => {
  const { post } = await startWorker({ close: async () => {} });
  expect((await post(name, "[]")).status).toBe(404);
});

test.each<[WorkerCallName, string]>([
  ["close", ""],
  ["close", "["],
  ["close", "{}"],
  ["close", "null"],
  ["close", "[]"],
  ["close", '[{"id":"ac_1"},{}]'],
  ["close", '[{"id":1},{"id":"br_1"}]'],
  ["closeAllOf", '["ac_1","bored"]'],
  ["closeMatching", '[{"id":"ac_1"},{"all":false}]'],
  ["wait", '[{"id":"ac_1"},{"id":"br_1"},"1"]'],
  ["startDesktop", '[{"id":"ac_1"},{"id":"br_1"},"http://a"]'],
  ["startDesktop", '[{"id":"ac_1"},{"id":"br_1"},{"$url":"canary"}]'],
  ["openPlaced", '[{"browserId":"br_1","options":{"label":"canary"}}]'],
])("%s with the body %s is refused without a call", async (name, body) => {
  let isCalled = false;
  const { post } = await startWorker({ [name]: async () => (isCalled = true) });
  const answer = await post(name, body);
  expect([answer.status, isCalled]).toEqual([400, false]);
  expect(await answer.text()).not.toContain("canary");
});

test("a body with too many nested levels is refused", async () => {
  const { post } = await startWorker({ hasDesktop: async () => true });
  expect((await post("hasDesktop", "[".repeat(200_000) + "]".repeat(200_000))).status).toBe(400);
});

test("a body that is too large is refused", async () => {
  const { post } = await startWorker({ hasDesktop: async () => true });
  expect((await post("hasDesktop", JSON.stringify(["x".repeat(2 ** 20)]))).status).toBe(413);
});

test("members that another version adds are ignored", async () => {
  const got: unknown[] = [];
  const { post } = await startWorker({ close: async (...given) => void got.push(...given) });
  expect(
    (await post("close", '[{"id":"ac_1","isNew":1},{"id":"br_1","new":{"$date":"2026-01-01"}},"new"]')).status,
  ).toBe(200);
  expect(got).toEqual([OWNER, BY_ID]);
});

test.each([-1, 0, 1])("a front-end whose version differs by %d can make calls", async (difference) => {
  const { worker } = await startWorker({ hasDesktop: async () => true }, { version: CALLS_VERSION + difference });
  expect(await worker.hasDesktop("k")).toBe(true);
});

test.each([-2, 2])(
  "a front-end whose version differs by %d is refused with the reason, and nothing is called",
  async (difference) => {
    let isCalled = false;
    const version = CALLS_VERSION + difference;
    const { worker } = await startWorker({ acknowledge: async () => void (isCalled = true) }, { version });
    await expect(worker.acknowledge("br_1")).rejects.toMatchObject({
      name: "WorkerUnreachable",
      isOutcomeUnknown: false,
      message: expect.stringContaining(
        `refused introduce: The front-end makes version ${version} calls, and this worker handles version ${CALLS_VERSION} calls. Versions may differ by one`,
      ),
    });
    expect(isCalled).toBe(false);
  },
);

test("a front-end of the first release sends no version", async () => {
  const { post } = await startWorker({ hasDesktop: async () => true });
  expect((await post("hasDesktop", '["k"]')).status).toBe(isCompatible(1) ? 200 : 400);
});

test("the request id is passed to the worker and appears in its log", async () => {
  const ids: unknown[] = [];
  const { worker, log, post } = await startWorker({
    close: async () => {
      ids.push(readRequest()?.requestId);
      throw new Failure("BrowserNotFound", "Unknown.");
    },
  });
  await expect(withRequest("of-the-front-end", () => worker.close(OWNER, BY_ID))).rejects.toThrow("Unknown.");
  await expect(worker.close(OWNER, BY_ID)).rejects.toThrow("Unknown.");
  const answer = await post("close", "[]", { "X-Request-Id": "of-the-front-end" });
  const stranger = await post("close", "[]", { "X-Request-Id": "forged", Authorization: "Bearer x" });
  const odd = await post("close", "[]", { "X-Request-Id": "a b" });
  expect([answer, stranger, odd].map(({ headers }) => headers.get("x-request-id"))).toEqual([
    "of-the-front-end",
    "of-the-worker",
    "of-the-worker",
  ]);
  expect(ids).toEqual(["of-the-front-end", "of-the-worker"]);
  expect(log.lines.map(({ facts }) => facts?.["requestId"])).toEqual([
    "of-the-front-end",
    "of-the-worker",
    "of-the-front-end",
    "of-the-worker",
    "of-the-worker",
  ]);
});
