import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { openViewer } from "../support/desktop/desktop-viewer.ts";
import { mounts } from "../support/machine/processes.ts";
import { expectNothingHeld, readDescriptors } from "../support/browsers/resources.ts";
import { lastEnds, type RealServer, startServer } from "../support/servers/real-server.ts";
import { findBroker } from "../support/browsers/traces.ts";
import { until } from "../support/until.ts";

/** Number of browsers to open and close, which `npm run soak` sets. */
const OPENS = Number(process.env["SOAK_OPENS"] ?? 300);
/** Number of browsers opened before the first measurement, to fill caches and compile code. */
const EARLY = Math.ceil(OPENS / 6);
const USERS = 6;
/** A browser lifecycle takes less than a second on average. */
const LONGEST_MS = 60_000 + OPENS * 1500;
/** Maximum time until an idle server has released its garbage, in ms. */
const IDLE_MS = 60_000;
const MAX_GROWTH_MIB = 40;
/** Maximum growth. Other programs' kernel objects also change during the test. */
const MAX_GROWTH = 20;

/** Kinds of kernel objects that each sandbox uses. */
const KERNEL_OBJECTS = [
  "net_namespace",
  "pid_namespace",
  "user_namespace",
  "mnt_cache",
  "mem_cgroup",
  "shmem_inode_cache",
];

/** What one user does with one browser. */
const LIFE = fc.record({
  options: fc.constantFrom<object[]>({ Browser: 3 }, { Browser: 3 }, { Headless: true }, { Headless: false }),
  hasDesktop: fc.boolean(),
  end: fc.constantFrom("close", "Browser.close", "Browser.crash", "inactivity"),
});
type Life = typeof LIFE extends fc.Arbitrary<infer One> ? One : never;

/** The logged reason for each way that a browser ends. */
const REASONS = { close: "requested", "Browser.close": "exited", "Browser.crash": "crashed", inactivity: "inactive" };

let server: RealServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server[Symbol.asyncDispose]());

function readMemoryMib(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

/** Returns the number of objects that the kernel currently holds for all programs, by kind. */
function readKernel(): Record<string, number> {
  const slabs = new Map(
    readFileSync("/proc/slabinfo", "utf8")
      .split("\n")
      .map((line) => line.split(/\s+/))
      .map(([name = "", active]) => [name, Number(active)]),
  );
  return Object.fromEntries(KERNEL_OBJECTS.map((name) => [name, slabs.get(name) ?? 0]));
}

/**
 * Frees the kernel's caches. Cached file pages keep alive the control group of the browser that first read them. The
 * kernel also counts free objects in each processor's cache as active: up to 230 of one kind were observed.
 */
function freeCaches(): void {
  writeFileSync("/proc/sys/vm/drop_caches", "1");
  for (const name of KERNEL_OBJECTS) writeFileSync(`/sys/kernel/slab/${name}/shrink`, "1");
}

/** Returns the resources that the server, its broker and the kernel hold. */
function readHeld(): Record<string, number> {
  const broker = findBroker(server.pid);
  return {
    serverMib: readMemoryMib(server.pid),
    brokerMib: readMemoryMib(broker),
    serverDescriptors: readDescriptors(server.pid).length,
    brokerDescriptors: readDescriptors(broker).length,
    brokerMounts: mounts({ pid: broker }).split("\n").length,
    ...readKernel(),
  };
}

async function live({ options, hasDesktop, end }: Life): Promise<void> {
  const address = await server.open({ ...options, KeepOpen: end === "inactivity" ? 3 : 60 });
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

/** Runs browser lifecycles, one at a time, until `lives` is exhausted. @returns The reasons why the browsers ended. */
async function use(lives: Iterator<Life>): Promise<string[]> {
  const ends: string[] = [];
  for (let next = lives.next(); next.done !== true; next = lives.next()) {
    await live(next.value);
    ends.push(REASONS[next.value.end]);
  }
  return ends;
}

async function run(lives: readonly Life[]): Promise<string[]> {
  const shared = lives[Symbol.iterator]();
  return (await Promise.all(Array.from({ length: USERS }, () => use(shared)))).flat();
}

test(
  `after ${OPENS} browsers of every kind have ended in every way, all resources are released and usage hasn't grown`,
  {
    timeout: LONGEST_MS,
  },
  async () => {
    const seed = Date.now();
    const lives = fc.sample(LIFE, { seed, numRuns: OPENS });
    const early = await run(lives.slice(0, EARLY));
    await expectNothingHeld(server);
    freeCaches();
    const before = readHeld();
    const late = await run(lives.slice(EARLY));
    await expectNothingHeld(server);

    const ends = [...early, ...late];
    const logged = (await lastEnds(server, ends.length)).map(({ reason }) => String(reason));
    expect(logged.toSorted(), `seed ${seed}`).toEqual(ends.toSorted());
    expect(await server.home.report("operator@localhost")).toMatchObject({ openBrowsers: 0 });
    const isFlat = (now: Record<string, number>): boolean =>
      Object.entries(before).every(
        ([name, value]) => (now[name] ?? 0) < value + (name.endsWith("Mib") ? MAX_GROWTH_MIB : MAX_GROWTH),
      );
    freeCaches();
    const after = await until(readHeld, isFlat, IDLE_MS).catch(readHeld);
    process.stdout.write(`Before: ${JSON.stringify(before)}\nAfter:  ${JSON.stringify(after)}\n`);
    expect(after).toSatisfy(isFlat);
  },
);
