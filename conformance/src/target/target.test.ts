import { once } from "node:events";
import { createServer } from "node:http";
import { operations } from "@remote-browser/contract/operations";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AccountRateLimiter } from "./rate-limiter.ts";
import { Target } from "./target.ts";

const ALLOWED_PER_SECOND = 5;

let second = 0;
let taken = 0;
let refused = 0;
const server = createServer((request, response) => {
  if (request.url !== "/") {
    response.writeHead(404).end(JSON.stringify({ name: "NotFound" }));
    return;
  }
  const now = Math.floor(Date.now() / 1000);
  if (now > second) [second, taken] = [now, 0];
  taken += 1;
  const isTaken = taken <= ALLOWED_PER_SECOND;
  if (!isTaken) refused += 1;
  response.writeHead(isTaken ? 200 : 429, isTaken ? {} : { "Retry-After": "1" }).end("{}");
});

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(() => void server.close());

function newTarget(): Target {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server must have a port.");
  const baseUrl = new URL(`http://127.0.0.1:${address.port}`);
  return new Target({ baseUrl, rateLimiter: new AccountRateLimiter(undefined), timeoutMs: 5000, onExchange: () => {} });
}

test("concurrent requests all succeed on a server with a low rate limit", async () => {
  const target = newTarget();
  const sent = Array.from({ length: 24 }, () => target.send({ method: "GET", path: "/" }));
  const statuses = (await Promise.all(sent)).map(({ received }) => received.status);
  expect(statuses).toEqual(Array.from({ length: 24 }, () => 200));
  expect(refused).toBeGreaterThan(0);
});

test("an impatient request receives the 429", async () => {
  const target = newTarget();
  const sent = Array.from({ length: 12 }, () => target.send({ method: "GET", path: "/", isPatient: false }));
  const statuses = (await Promise.all(sent)).map(({ received }) => received.status);
  expect(statuses).toContain(429);
});

test("a preview that the deployment doesn't have is a path without an operation", async () => {
  const operationAt = async ({ method, path }: { method: string; path: string }) =>
    (await newTarget().send({ method: method.toUpperCase(), path })).operation;
  expect(await operationAt(operations.takeScreenshotImage)).toBeUndefined();
  expect(await operationAt(operations.getBrowsers)).toBe("getBrowsers");
});
