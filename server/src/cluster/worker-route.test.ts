import { expect, test } from "vitest";
import { RecordingLog } from "../../test/fakes/recording-log.ts";
import { newServiceApp } from "../api/app.ts";
import type { WorkerTarget } from "../ports/browser-client.ts";
import { mountWorkerRoute } from "./cluster.ts";
import { systemClock } from "../adapters/node/system-clock.ts";

const PROXY = "10.0.0.9";
const KNOWN = "/devtools/browser/known?a=b";

/** Looks up the worker for a URI. */
async function ask(
  uri: string | undefined,
  peer = PROXY,
  headers: Record<string, string> = {},
  { isAlive = true, verify = async () => {} }: Partial<WorkerTarget> = {},
) {
  const app = newServiceApp({
    newRequestId: () => "req_1",
    pathPrefix: "",
    origins: new Set(),
    isHttpsOnly: false,
    clock: systemClock,
    log: new RecordingLog(),
  });
  mountWorkerRoute(app, {
    findWorker: (sent) =>
      sent === KNOWN ? { id: "w1", url: new URL("http://10.0.0.2:8080/"), isAlive, verify } : undefined,
    isProxy: (address) => address === PROXY,
  });
  const sent = { ...headers, ...(uri !== undefined && { "X-Original-URI": uri }) };
  const env = { incoming: { rawHeaders: [], socket: { remoteAddress: peer } }, outgoing: { setHeader() {} } };
  const { status, headers: got } = await app.request("/cluster/route", { headers: sent }, env);
  return [status, got.get("x-worker")];
}

test("a proxy receives the URL of a browser's worker", async () => {
  expect(await ask(KNOWN)).toEqual([204, "http://10.0.0.2:8080"]);
});

test("if a worker stops reporting, a proxy sends its clients to a front-end, which refuses them", async () => {
  expect(await ask(KNOWN, PROXY, {}, { isAlive: false })).toEqual([204, null]);
});

test("a proxy never receives the URL of a server that isn't the worker", async () => {
  const verify = (): Promise<void> => Promise.reject(new Error("The server didn't prove that it is the worker."));
  expect(await ask(KNOWN, PROXY, {}, { verify })).toEqual([204, null]);
});

test.each([["/devtools/browser/unknown"], ["/"], [undefined]])(
  "a proxy sends requests that match no worker to a front-end: %s",
  async (uri) => {
    expect(await ask(uri)).toEqual([204, null]);
  },
);

test("other peers, and clients behind the proxy, can't look up a worker", async () => {
  expect(await ask(KNOWN, "10.0.0.10")).toEqual([404, null]);
  expect(await ask(KNOWN, PROXY, { "X-Forwarded-For": "192.0.2.1" })).toEqual([404, null]);
});
