import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLine } from "../support/machine/processes.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

const EMAIL = "lonely@example.com";

let server: RealServer;
let token: string;

beforeAll(async () => {
  server = await startServer({ plans: { one: { parallel: 1 } }, settings: { RBS_CAPACITY: "1" } });
  token = await server.home.newAccount(EMAIL, "one");
});

afterAll(() => server[Symbol.asyncDispose]());

/** Waits until the server has released all resources. The last test checks the charges. */
async function expectNothingLeft(): Promise<void> {
  await expectNothingHeld(server);
  expect(await server.addresses(token)).toEqual([]);
}

async function sendOpen(): Promise<Socket> {
  const socket = connect(Number(server.url.port), server.url.hostname);
  await once(socket, "connect");
  const head = [
    "POST /api/v1/Browser/Open HTTP/1.1",
    `Host: ${server.url.host}`,
    `Authorization: Bearer ${token}`,
    "Content-Length: 2",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n{}`);
  return socket;
}

/** Waits until the server has a process whose command line begins with `program`. */
async function runs(program: string): Promise<void> {
  await until(
    () => server.processes().map(commandLine),
    (lines) => lines.some((line) => line.startsWith(program)),
  );
}

test.each<[string, () => Promise<unknown>]>([
  ["right after its request", async () => {}],
  ["when Chromium starts", () => runs("/usr/lib/chromium/chromium")],
])("a client that resets its connection %s leaks no resources", async (_, moment) => {
  const socket = await sendOpen();
  await moment();
  socket.resetAndDestroy();
  await expectNothingLeft();
});

test("vanished clients' slots become free, and only the next client is charged", async () => {
  await server.close(await server.open({ Browser: 3 }, token), token);
  expect(await server.home.report(EMAIL)).toMatchObject({ openBrowsers: 0, unitsUsed: 1 });
});
