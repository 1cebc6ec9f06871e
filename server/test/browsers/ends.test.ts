import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools, readRefusal } from "../support/browsers/devtools-client.ts";
import { commandLine } from "../support/machine/processes.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, lastEnds, startServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

/** Maximum lifetime in the `brief` plan. */
const LIFETIME_MS = 2400;
/** Maximum time by which a timer may fire early because clocks differ. */
const EARLY_MS = 10;
/** How late a browser may end on a busy machine, in ms. */
const LATE_MS = 4000;

let server: RealServer;

beforeAll(async () => {
  server = await startServer({ settings: { RBS_CAPACITY: "1" }, plans: { brief: { maxLifetimeMinutes: 0.04 } } });
});

afterAll(() => server[Symbol.asyncDispose]());

/** Waits until the server has released all resources, and checks that the only slot is free. */
async function expectNothingLeft(): Promise<void> {
  await expectNothingHeld(server);
  expect(await server.addresses()).toEqual([]);
  await server.close(await server.open({ Browser: 3 }));
}

/** Returns the process id of a program's main process, ignoring Chromium's child processes. */
function pidOf(program: string): number {
  const found = server.processes().find((one) => {
    const line = commandLine(one);
    return line.startsWith(`${program} `) && !line.includes("--type=");
  });
  expect(found, `no ${program} runs`).toBeDefined();
  return found?.pid ?? 0;
}

test("Close returns after the browser has released all resources, and every client receives the close reason", async () => {
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
  ["the screen", { Headless: false }, "Xvnc"],
])(
  "kill -9 of %s ends the browser, and its clients receive 'crashed' as the close reason",
  async (_, options, program) => {
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
  },
);

test("the plan's maximum lifetime ends a browser that is in use, despite a longer KeepOpen", async () => {
  const brief = await server.home.newAccount("brief@example.com", "brief");
  const client = await connectDevtools(await server.open({ Browser: 3, KeepOpen: 1e12 }, brief));
  expect(await client.closed).toEqual({ code: 1000, reason: "browser closed: lifetime" });
  const [end] = await lastEnds(server, 1);
  expect(end?.["durationMs"]).toBeGreaterThanOrEqual(LIFETIME_MS - EARLY_MS);
  expect(end?.["durationMs"]).toBeLessThan(LIFETIME_MS + LATE_MS);
  await expectNothingLeft();
});
