import { operations } from "@remote-browser/contract/operations";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RecordingLog } from "../../test/fakes/recording-log.ts";
import { type FakeService, startFakeService } from "../../test/support/servers/fake-service.ts";

const OPEN = operations.openBrowser.path;
const CANARY = "canary-of-the-caller";

const log = new RecordingLog();
let fake: FakeService;
beforeAll(async () => {
  fake = await startFakeService({ RBS_TRUSTED_PROXIES: "127.0.0.1" }, { log });
});
afterAll(() => fake[Symbol.asyncDispose]());

function lastRefusal(): object {
  const { facts = {} } = log.lines.findLast(({ event }) => event === "request.refused") ?? {};
  return facts;
}

const OPENED = { operation: "openBrowser", path: OPEN };
const FACTS = { requestId: expect.any(String), durationMs: expect.any(Number) };

test("a refused request is logged with its operation, client, message and duration", async () => {
  const headers = { Authorization: `Bearer ${CANARY}`, "X-Forwarded-For": "192.0.2.7" };
  await fetch(new URL(`${OPEN}?${CANARY}`, fake.service.url), { method: "POST", headers });
  expect(lastRefusal()).toEqual({
    ...FACTS,
    ...OPENED,
    remoteAddress: "192.0.2.7",
    name: "AuthorizationError",
    status: 401,
    message: expect.stringContaining("This token is not valid"),
  });
  expect(log.text()).not.toContain(CANARY);
});

test("a caller's input is not logged, but the paths of invalid values are", async () => {
  await fake.post(OPEN, { KeepOpen: CANARY, Label: 1 });
  const account = expect.any(String);
  const at = ["/KeepOpen", "/Label"];
  const remoteAddress = "127.0.0.1";
  expect(lastRefusal()).toEqual({ ...FACTS, ...OPENED, account, remoteAddress, name: "BadRequest", status: 400, at });
  await fake.send("POST", OPEN, CANARY, { "Content-Type": CANARY });
  expect(lastRefusal()).toMatchObject({ ...OPENED, name: "UnsupportedMediaType" });
  await fetch(new URL(`/api/v1/${CANARY}`, fake.service.url));
  expect(log.text()).not.toContain(CANARY);
});
