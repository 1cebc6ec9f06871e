import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectDevtools } from "./support/devtools-client.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { type RealServer, lastEnds, startServer } from "./support/real-server.ts";
import { until } from "./support/until.ts";

const SHELL = { Browser: 3 };
/** How much earlier a timer may fire, by another clock. */
const EARLY_MS = 10;
/** How much later than due a browser may end on a busy machine. */
const LATE_MS = 4000;

let server: RealServer;
let brief: string;

beforeAll(async () => {
  server = await startServer({ plans: { brief: { maxLifetimeMinutes: 0.04 } } });
  brief = await server.home.newAccount("brief@example.com", "brief");
});

afterEach(() => expectNothingHeld(server));
afterAll(() => server[Symbol.asyncDispose]());

/** Resolves when the browser is no more in the list of open ones. */
async function gone(address: string): Promise<void> {
  await until(
    () => server.addresses(),
    (addresses) => !addresses.includes(address),
  );
}

/** Lets time pass, as a browser that nobody uses sees it. */
async function pass(seconds: number): Promise<void> {
  await gone(await server.open({ ...SHELL, KeepOpen: seconds }));
}

test("a browser without clients closes after its period", async () => {
  await pass(1.5);
  const [end] = await lastEnds(server, 1);
  expect(end).toMatchObject({ reason: "inactive", clients: 0, units: 1 });
  expect(end?.["openMs"]).toBeGreaterThanOrEqual(1500 - EARLY_MS);
  expect(end?.["openMs"]).toBeLessThan(1500 + LATE_MS);
});

test("one client that is silent keeps a browser open, and the period counts anew when it leaves", async () => {
  const address = await server.open({ ...SHELL, KeepOpen: 0.5 });
  const client = await connectDevtools(address);
  await pass(1.5);
  expect(await server.addresses()).toEqual([address]);

  const left = Date.now();
  await client[Symbol.asyncDispose]();
  expect(await server.addresses()).toEqual([address]);
  await gone(address);
  expect(Date.now() - left).toBeGreaterThanOrEqual(500 - EARLY_MS);
  expect(Date.now() - left).toBeLessThan(500 + LATE_MS);
});

test("the period starts when the last of several clients leaves", async () => {
  const address = await server.open({ ...SHELL, KeepOpen: 0.5 });
  const [first, last] = await Promise.all([connectDevtools(address), connectDevtools(address)]);
  await first[Symbol.asyncDispose]();
  await pass(1);
  expect(await server.addresses()).toEqual([address]);
  last.socket.terminate();
  await gone(address);
});

test("a period longer than any timer, and one without end, leave the browser open", async () => {
  const aeons = await server.open({ ...SHELL, KeepOpen: 1e12 });
  const forever = await server.open({ ...SHELL, KeepOpen: 0 });
  await pass(1);
  expect(await server.addresses()).toEqual([aeons, forever]);
  await Promise.all([aeons, forever].map((address) => server.close(address)));
});

test("the plan's longest life ends a browser that is in use, and one whose KeepOpen is longer", async () => {
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
