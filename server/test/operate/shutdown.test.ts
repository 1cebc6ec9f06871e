import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { send } from "../support/servers/call.ts";
import { connectDevtools } from "../support/browsers/devtools-client.ts";
import { NO_RESOURCES, expectNothingHeld } from "../support/browsers/resources.ts";
import { type Home, openHome } from "../support/servers/home.ts";
import { commandLine, descendants, isBroker, kill, listProcesses } from "../support/machine/processes.ts";
import { type RealServer, readLog, startServer } from "../support/servers/real-server.ts";
import { runScript } from "../support/machine/run-script.ts";
import { until } from "../support/until.ts";
import { variant } from "../support/variants.ts";

const OPERATOR = "operator@localhost";
const STOP_MS = 5000;

let home: Home;
let server: RealServer;

beforeEach(async () => {
  home = await openHome();
});

afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

/** Sends SIGTERM. @returns The exit code and signal, and the time until the server exits, in ms. */
async function terminate(): Promise<{ code: number | null; signal: string | null; stopMs: number }> {
  const before = Date.now();
  server.signal("SIGTERM");
  const { code, signal } = await server.ended;
  return { code, signal, stopMs: Date.now() - before };
}

/** Returns the load that /readyz reports. */
async function readLoad(): Promise<Record<string, unknown>> {
  return (await send(new URL("/readyz", server.url), "GET")).body;
}

test("SIGTERM ends all browsers after the drain, notifies their clients, and leaves nothing behind", async () => {
  server = await startServer({ settings: { RBS_DRAIN_S: "1", RBS_WARM: '[{"Browser": 3, "Count": 1}]' } }, home);
  await until(readLoad, ({ warm }) => warm === 1);
  // Neither of them receives the warm browser.
  const options = [{ Headless: false }, { Browser: 3, Args: ["--disable-notifications"] }];
  const addresses = await Promise.all(options.map((each) => server.open(each)));
  const clients = await Promise.all(addresses.map((address) => connectDevtools(address)));
  expect(await readLoad()).toMatchObject({ warm: 1 });
  server.processes();
  const { code, signal, stopMs } = await terminate();
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(stopMs).toBeGreaterThanOrEqual(990);
  expect(stopMs).toBeLessThan(1000 + STOP_MS);
  expect(await server.readResources()).toEqual(NO_RESOURCES);
  for (const { closed } of clients) {
    expect(await closed).toEqual({ code: 1001, reason: "browser closed: shutdown" });
  }
  expect(readLog(server, "server.stopped")).toHaveLength(1);
  expect(await home.report(OPERATOR)).toMatchObject({ openBrowsers: 0, unitsUsed: 2 });
});

variant(
  "a draining server closes warm browsers, refuses Open requests, keeps serving open browsers, and exits after the last one closes",
  async () => {
    server = await startServer({ settings: { RBS_DRAIN_S: "30", RBS_WARM: '[{"Browser": 3, "Count": 2}]' } }, home);
    await until(readLoad, ({ warm }) => warm === 2);
    const client = await connectDevtools(await server.open());
    server.signal("SIGTERM");
    const refused = await until(
      () => server.post("Open", { Browser: 3 }),
      ({ status }) => status !== 200,
    );
    expect(refused).toMatchObject({ status: 503, body: { name: "BrowserUnavailable" } });
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await client.command("Browser.getVersion")).toMatchObject({ protocolVersion: "1.3" });
    await Promise.all((await server.addresses()).slice(1).map((address) => server.close(address)));
    await until(
      async () => (await server.readResources()).folders,
      ({ length }) => length === 1,
    );
    const before = Date.now();
    await client.command("Browser.close");
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(Date.now() - before).toBeLessThan(STOP_MS);
    expect(await client.closed).toEqual({ code: 1000, reason: "browser closed: exited" });
    expect(await server.readResources()).toEqual(NO_RESOURCES);
  },
);

variant(
  "if SIGTERM arrives during Open requests, each request receives a response, no units are charged, and nothing is left behind",
  async () => {
    server = await startServer({}, home);
    const opens = [1, 2, 3].map(() => server.post("Open", {}).catch(String));
    await until(
      () => server.processes(),
      (processes) => processes.length > 0,
    );
    const { code, stopMs } = await terminate();
    expect(code).toBe(0);
    expect(stopMs).toBeLessThan(STOP_MS);
    for (const answer of await Promise.all(opens)) {
      expect(answer).toMatchObject({ status: 503, body: { name: "BrowserUnavailable" } });
    }
    expect(await server.readResources()).toEqual(NO_RESOURCES);
    expect(await home.report(OPERATOR)).toMatchObject({ openBrowsers: 0, unitsUsed: 0 });
  },
);

test("no process survives SIGKILL, and the next start removes the folders and closes the browsers in the database", async () => {
  server = await startServer({}, home);
  const { token } = server;
  const clients = await Promise.all(
    [await server.open({ Headless: false }), await server.open({ Browser: 3 })].map((address) =>
      connectDevtools(address),
    ),
  );
  // Sandboxes that are still starting are the hardest to end.
  const known = server.processes().length;
  const opens = [{}, { Browser: 3 }].map((options) => server.post("Open", options).catch(() => undefined));
  await until(
    () => server.processes(),
    ({ length }) => length > known,
  );
  server.signal("SIGKILL");
  await server.ended;
  await Promise.all(opens);
  expect((await Promise.all(clients.map(({ closed }) => closed))).map(({ code }) => code)).toEqual([1006, 1006]);
  await until(() => server.processes(), isEmpty);

  server = await startServer({}, home);
  expect(readLog(server, "browsers.lost")).toMatchObject([{ browsers: 2 }]);
  await expectNothingHeld(server);
  expect(await server.addresses(token)).toEqual([]);
  expect(await home.report(OPERATOR)).toMatchObject({ openBrowsers: 0, unitsUsed: 2 });
  await server.close(await server.open({ Browser: 3 }, token), token);
});

variant("a second server with the same data or work folder is refused without affecting the first server", async () => {
  const shared = { RBS_ISOLATION: "none" };
  server = await startServer({ settings: shared }, home);
  const address = await server.open({ Browser: 3 });
  for (const folders of [{}, { RBS_DATA_DIR: join(home.folder, "other") }]) {
    const second = await runScript("main.ts", [], { settings: { ...home.settings, ...shared, ...folders } });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      /\nThe server could not start\.\nA server is already using the folder \S+\. Stop it, .*\.\n$/,
    );
  }
  {
    await using client = await connectDevtools(address);
    expect(await client.command("Browser.getVersion")).toMatchObject({ protocolVersion: "1.3" });
  }
  await server.close(address);
  await expectNothingHeld(server);
});

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0;
}

variant(
  "in the default work folder, browsers open without sandboxes, and a stopped server leaves nothing behind",
  async () => {
    const { RBS_WORK_DIR: _, ...settings } = home.settings;
    const { workDir } = readConfig(settings);
    expect(workDir).toMatch(/^\/var\/tmp\/remote-browser-/);
    server = await startServer({ settings: { RBS_ISOLATION: "none" } }, { ...home, settings });
    await server.close(await server.open());
    for (const lock of [join(home.dataDir, "server.lock"), join(workDir, "server.lock")])
      expect((await stat(lock)).mode & 0o777).toBe(0o600);
    expect((await terminate()).code).toBe(0);
    expect(existsSync(workDir)).toBe(false);
  },
);

/** Starts a server that first runs the given code. */
async function startWith(code: string): Promise<RealServer> {
  const module = `data:text/javascript,${encodeURIComponent(code)}`;
  return startServer({ settings: { NODE_OPTIONS: `--import ${module}` } }, home);
}

test("an unhandled rejection is only logged, but an uncaught exception stops the server and its browsers", async () => {
  server = await startWith(`
    process.once("SIGHUP", () => void Promise.reject(new Error("a rejection")));
    process.once("SIGUSR2", () => setImmediate(() => { throw new Error("an exception"); }));
  `);
  const client = await connectDevtools(await server.open({ Browser: 3 }));
  server.signal("SIGHUP");
  const [line] = await until(
    () => readLog(server, "server.unhandled_rejection"),
    ({ length }) => length > 0,
  );
  expect(line).toMatchObject({ level: "error", error: { message: "a rejection" } });
  expect(await client.command("Browser.getVersion")).toMatchObject({ protocolVersion: "1.3" });

  server.processes();
  server.signal("SIGUSR2");
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(readLog(server, "server.crashed")).toMatchObject([{ error: { message: "an exception" } }]);
  await until(
    () => server.processes(),
    ({ length }) => length === 0,
  );
});

variant("without its broker, the server closes its browsers as crashed and exits with an error", async () => {
  server = await startServer({ settings: { RBS_DRAIN_S: "60" } }, home);
  const client = await connectDevtools(await server.open({ Browser: 3 }));
  const family = descendants(listProcesses(), server.pid);
  family.filter((one) => isBroker(one) && /^\S*node /.test(commandLine(one))).forEach((one) => kill(one));
  expect(await client.closed).toEqual({ code: 1011, reason: "browser closed: crashed" });
  expect(await server.ended).toMatchObject({ code: 1 });
  expect(readLog(server, "server.failed")).toMatchObject([
    { error: { message: expect.stringMatching(/broker has ended/) } },
  ]);
  expect(await server.readResources()).toEqual(NO_RESOURCES);
  expect(await home.report(OPERATOR)).toMatchObject({ openBrowsers: 0, unitsUsed: 1 });
});

variant(
  "a second Ctrl-C within half a second doesn't interrupt the drain, but a later one closes the browsers",
  async () => {
    server = await startServer({ settings: { RBS_DRAIN_S: "60" } }, home);
    const client = await connectDevtools(await server.open({ Browser: 3 }));
    const startedAt = performance.now();
    await until(
      () => {
        server.signal("SIGINT");
        return readLog(server, "server.drain_ended");
      },
      ({ length }) => length > 0,
    );
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    expect(await server.ended).toMatchObject({ code: 0 });
    expect(await client.closed).toEqual({ code: 1001, reason: "browser closed: shutdown" });
    expect(await server.readResources()).toEqual(NO_RESOURCES);
    expect(await home.report(OPERATOR)).toMatchObject({ openBrowsers: 0, unitsUsed: 1 });
  },
);
