import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools, openPage } from "./support/devtools-client.ts";
import { openViewer } from "./support/desktop-viewer.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { lastEnds, type RealServer, startServer } from "./support/real-server.ts";
import { until } from "./support/until.ts";

const LOAD_MS = 120_000;
const USERS = 4;
/** The longest time until an idle server has returned its garbage. */
const IDLE_MS = 60_000;
const MAX_GROWTH_MIB = 40;

/** What one user does with one browser. */
const LIFE = fc.record({
  options: fc.constantFrom<object[]>({ Browser: 3 }, { Browser: 3 }, { Headless: true }, { Headless: false }),
  hasDesktop: fc.boolean(),
  end: fc.constantFrom("close", "Browser.close", "Browser.crash", "inactivity"),
});
type Life = typeof LIFE extends fc.Arbitrary<infer One> ? One : never;

/** The reasons in the log for each end. */
const REASONS = { close: "requested", "Browser.close": "exited", "Browser.crash": "crashed", inactivity: "inactive" };

let server: RealServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

function readMemoryMib(): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

async function live({ options, hasDesktop, end }: Life): Promise<void> {
  const address = await server.open({ ...options, KeepOpen: end === "inactivity" ? 0.5 : 60 });
  const client = await connectDevtools(address);
  const evaluate = await openPage(client, "data:text/html,<title>A page</title>");
  expect(await evaluate("document.title")).toBe("A page");
  if (hasDesktop && "Headless" in options && options.Headless === false) {
    const { body } = await server.post("StartRemoteDesktop", { address });
    await using viewer = await openViewer(String(body["rfbUrl"]), String(body["password"]));
    viewer.click(10, 10);
  }
  if (end === "close") await server.close(address);
  else if (end === "inactivity") await client[Symbol.asyncDispose]();
  else void client.command(end).catch(() => {});
  await until(
    () => server.addresses(),
    (addresses) => !addresses.includes(address),
  );
  await client[Symbol.asyncDispose]();
}

/** Browsers live and end, one after the other, until it is time to stop. @returns Their ends. */
async function use(lives: Iterator<Life>, isOver: () => boolean): Promise<string[]> {
  const ends: string[] = [];
  while (!isOver()) {
    const life = lives.next().value as Life;
    await live(life);
    ends.push(REASONS[life.end]);
  }
  return ends;
}

test("after minutes of load with every kind of browser and every end, nothing is held and memory hasn't grown", async () => {
  const seed = Date.now();
  const lives = fc.sample(LIFE, { seed, numRuns: 10_000 })[Symbol.iterator]();
  const run = async (durationMs: number): Promise<string[]> => {
    const stopAt = performance.now() + durationMs;
    const users = Array.from({ length: USERS }, () => use(lives, () => performance.now() > stopAt));
    return (await Promise.all(users)).flat();
  };
  const early = await run(LOAD_MS / 6);
  await expectNothingHeld(server);
  const before = readMemoryMib();
  const late = await run(LOAD_MS);
  await expectNothingHeld(server);

  const ends = [...early, ...late];
  expect(ends.length, `seed ${seed}`).toBeGreaterThan(50);
  const logged = (await lastEnds(server, ends.length)).map(({ reason }) => String(reason));
  expect(logged.toSorted(), `seed ${seed}`).toEqual(ends.toSorted());
  expect(await server.home.report("operator@localhost")).toMatchObject({ openBrowsers: 0 });
  await until(readMemoryMib, (now) => now < before + MAX_GROWTH_MIB, IDLE_MS);
});
