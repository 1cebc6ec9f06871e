import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { NEWEST_VERSION } from "../contract/versions.ts";
import { detectVersion } from "./detect-version.ts";

type Answers = Readonly<Record<string, { readonly status: number; readonly body: unknown }>>;

const NOT_FOUND = { status: 404, body: { status: 404, name: "NotFound" } };

/** @param answers The responses by path. */
async function detected(answers: Answers): Promise<string> {
  const server = createServer((request, response) => {
    const { status, body } = answers[request.url ?? ""] ?? NOT_FOUND;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return detectVersion({ baseUrl: `http://127.0.0.1:${port}`, token: "x" });
}

test("the version is read from the contract that the deployment serves", async () => {
  const says = (version: string) => ({ "/openapi.json": { status: 200, body: { info: { version } } } });
  expect(await detected(says("1.0.0"))).toBe("1.0");
  expect(await detected(says("1.1.0"))).toBe("1.1");
});

test("a deployment that serves neither its contract nor Account/Get is assumed to have version 1.0", async () => {
  expect(await detected({})).toBe("1.0");
  expect(await detected({ "/api/v1/Account/Get": { status: 200, body: { plan: "team" } } })).toBe("1.1");
});

test("an unreachable deployment is assumed to have the newest version", async () => {
  expect(await detectVersion({ baseUrl: "http://127.0.0.1:1", token: "x" })).toBe(NEWEST_VERSION);
});
