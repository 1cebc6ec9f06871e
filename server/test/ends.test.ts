import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools, readRefusal } from "./support/devtools-client.ts";
import { commandLine } from "./support/processes.ts";
import { NO_RESOURCES, expectNothingHeld } from "./support/resources.ts";
import { type RealServer, lastEnds, startServer } from "./support/real-server.ts";
import { until } from "./support/until.ts";

/** Much longer than an end takes, and much shorter than users would wait. */
const QUICK_MS = 2000;

let server: RealServer;

beforeAll(async () => {
  server = await startServer({ settings: { RBS_CAPACITY: "1" } });
});

afterAll(() => server[Symbol.asyncDispose]());

/** Waits until nothing is held, and checks that the only slot is free. */
async function expectNothingLeft(): Promise<void> {
  await expectNothingHeld(server);
  expect(await server.addresses()).toEqual([]);
  await server.close(await server.open({ Browser: 3 }));
}

/** The main process of a program, without Chromium's child processes. */
function pidOf(program: string): number {
  const found = server.processes().find((one) => {
    const line = commandLine(one);
    return line.startsWith(`${program} `) && !line.includes("--type=");
  });
  expect(found, `no ${program} runs`).toBeDefined();
  return found?.pid ?? 0;
}

test("Close answers when the browser has released everything, and every client learns the reason", async () => {
  const address = await server.open({ Headless: false });
  const clients = await Promise.all([connectDevtools(address), connectDevtools(address)]);
  await server.close(address);
  const { descriptors: _, ...held } = await server.readResources();
  expect(held).toEqual({ processes: [], folders: [], rows: 0 });
  for (const { closed } of clients) {
    expect(await closed).toEqual({ code: 1000, reason: "browser closed: requested" });
  }
  expect(await readRefusal(address)).toMatchObject({ status: 404, name: "BrowserNotFound" });
  expect(await server.post("Close", { address })).toMatchObject({ status: 404, body: { name: "BrowserNotFound" } });
  await expectNothingLeft();
});

test.each([
  ["Chromium", { Headless: true }, "/usr/lib/chromium/chromium"],
  ["the headless shell", { Browser: 3 }, "/usr/lib/chromium/chromium-headless-shell"],
  ["the screen", { Headless: false }, "Xvnc"],
])("kill -9 of %s ends the browser, and its clients learn that it crashed", async (_, options, program) => {
  const address = await server.open(options);
  const client = await connectDevtools(address);
  process.kill(pidOf(program), "SIGKILL");
  expect(await client.closed).toEqual({ code: 1011, reason: "browser closed: crashed" });
  await until(
    () => server.addresses(),
    (addresses) => addresses.length === 0,
  );
  expect(await server.post("Close", { address })).toMatchObject({ status: 404, body: { name: "BrowserNotFound" } });
  expect(await lastEnds(server, 1)).toMatchObject([{ reason: "crashed", clients: 1, units: 1 }]);
  await expectNothingLeft();
});

test("a browser that was stopped with SIGSTOP closes as quickly as any other", async () => {
  const address = await server.open();
  const client = await connectDevtools(address);
  process.kill(pidOf("/usr/lib/chromium/chromium"), "SIGSTOP");
  const before = Date.now();
  await server.close(address);
  expect(Date.now() - before).toBeLessThan(QUICK_MS);
  const { processes, folders } = await server.readResources();
  expect({ processes, folders }).toEqual({ processes: NO_RESOURCES.processes, folders: NO_RESOURCES.folders });
  expect(await client.closed).toEqual({ code: 1000, reason: "browser closed: requested" });
  await expectNothingLeft();
});

test("of two concurrent Close requests at least one succeeds, and the other finds the browser closing or closed", async () => {
  const address = await server.open();
  const answers = await Promise.all([server.post("Close", { address }), server.post("Close", { address })]);
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
  expect([
    [200, 200],
    [200, 404],
  ]).toContainEqual(statuses);
  await expectNothingLeft();
});
