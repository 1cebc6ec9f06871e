import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectDevtools } from "./support/devtools-client.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { type RealServer, lastEnds, startServer } from "./support/real-server.ts";
import { until } from "./support/until.ts";

const SHELL = { Browser: 3 };
/** How much earlier a timer may fire, because of different clocks. */
const EARLY_MS = 10;
/** How late a browser may end on a busy machine. */
const LATE_MS = 4000;

let server: RealServer;
let brief: string;

beforeAll(async () => {
  server = await startServer({ plans: { brief: { maxLifetimeMinutes: 0.04 } } });
  brief = await server.home.newAccount("brief@example.com", "brief");
});

afterEach(() => expectNothingHeld(server));
afterAll(() => server[Symbol.asyncDispose]());

/** Waits until the browser is not listed any more. */
async function untilClosed(address: string): Promise<void> {
  await until(
    () => server.addresses(),
    (addresses) => !addresses.includes(address),
  );
}

/** Waits while the browser is unused. */
async function waitUnused(seconds: number): Promise<void> {
  await untilClosed(await server.open({ ...SHELL, KeepOpen: seconds }));
}

test("a browser without clients closes after its period", async () => {
  await waitUnused(1.5);
  const [end] = await lastEnds(server, 1);
  expect(end).toMatchObject({ reason: "inactive", clients: 0, units: 1 });
  expect(end?.["openMs"]).toBeGreaterThanOrEqual(1500 - EARLY_MS);
  expect(end?.["openMs"]).toBeLessThan(1500 + LATE_MS);
});

test("a silent client keeps a browser open, and the period starts again when it leaves", async () => {
  const address = await server.open({ ...SHELL, KeepOpen: 0.5 });
  const client = await connectDevtools(address);
  await waitUnused(1.5);
  expect(await server.addresses()).toEqual([address]);

  const left = Date.now();
  await client[Symbol.asyncDispose]();
  expect(await server.addresses()).toEqual([address]);
  await untilClosed(address);
  expect(Date.now() - left).toBeGreaterThanOrEqual(500 - EARLY_MS);
  expect(Date.now() - left).toBeLessThan(500 + LATE_MS);
});

test("the period starts when the last of several clients leaves", async () => {
  const address = await server.open({ ...SHELL, KeepOpen: 0.5 });
  const [first, last] = await Promise.all([connectDevtools(address), connectDevtools(address)]);
  await first[Symbol.asyncDispose]();
  await waitUnused(1);
  expect(await server.addresses()).toEqual([address]);
  last.socket.terminate();
  await untilClosed(address);
});

test("a period longer than any timer, and an unlimited one, keep the browser open", async () => {
  const long = await server.open({ ...SHELL, KeepOpen: 1e12 });
  const unlimited = await server.open({ ...SHELL, KeepOpen: 0 });
  await waitUnused(1);
  expect(await server.addresses()).toEqual([long, unlimited]);
  await Promise.all([long, unlimited].map((address) => server.close(address)));
});

test("the plan's maximum lifetime ends a browser that is in use, and one with a longer KeepOpen", async () => {
  const used = await server.open(SHELL, brief);
  const client = await connectDevtools(used);
  const patient = await server.open({ ...SHELL, KeepOpen: 1e12 }, brief);
  expect(await client.closed).toEqual({ code: 1000, reason: "browser closed: lifetime" });
  await until(
    () => server.addresses(brief),
    (addresses) => !addresses.includes(patient),
  );
  for (const { openMs } of await lastEnds(server, 2)) {
    expect(openMs).toBeGreaterThanOrEqual(2400 - EARLY_MS);
    expect(openMs).toBeLessThan(2400 + LATE_MS);
  }
});
