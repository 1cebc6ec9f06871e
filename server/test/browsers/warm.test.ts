import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { send } from "../support/servers/call.ts";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { TITLE, openSite } from "../support/sites/local-site.ts";
import { type Process, commandLine } from "../support/machine/processes.ts";
import { type RealServer, readLog, startServer } from "../support/servers/real-server.ts";
import { openProxy } from "../support/proxies/test-proxy.ts";
import { until } from "../support/until.ts";
import { variant } from "../support/variants.ts";

const SHELL = { Browser: 3 };

let server: RealServer;

/** Returns the load that /readyz reports. */
async function readLoad(): Promise<Record<string, unknown>> {
  return (await send(new URL("/readyz", server.url), "GET")).body;
}

async function untilWarm(count: number): Promise<void> {
  await until(readLoad, ({ warm }) => warm === count);
}

/** Opens a browser and waits for its log entry, which may be written after the response. */
async function openWith(options: object): Promise<{ readonly address: string; readonly isWarm: unknown }> {
  const { length } = readLog(server, "browser.opened");
  const address = await server.open({ Headless: false, ...options });
  const lines = await until(
    () => readLog(server, "browser.opened"),
    (all) => all.length > length,
  );
  return { address, isWarm: lines.at(-1)?.["isWarm"] };
}

/**
 * Returns the main processes of all running browsers, and any children that they have just forked, because a fork has
 * its parent's command line.
 */
function browsers(): Process[] {
  return server.processes().filter((one) => {
    const line = commandLine(one);
    return /^\S*\/(chromium|chromium-headless-shell) /.test(line) && !line.includes("--type=");
  });
}

describe("with one warm browser that has the default options", () => {
  beforeAll(async () => {
    server = await startServer({ settings: { RBS_WARM: "1", RBS_EGRESS: "any" } });
    await untilWarm(1);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("an Open request receives the warm browser, in the state of a newly started browser, and a replacement starts", async () => {
    expect(await server.addresses()).toEqual([]);
    const [warm] = browsers();
    const before = Date.now();
    const { address, isWarm } = await openWith({ Label: "mine" });
    expect(isWarm).toBe(true);
    expect(await readLoad()).toMatchObject({ browsers: 1, warm: 0 });
    expect(browsers()).toEqual([warm]);
    const { sessions } = (await server.get()).body as { sessions: { startedOn: string; label: string }[] };
    expect(sessions).toMatchObject([{ label: "mine", address }]);
    expect(Date.parse(sessions[0]?.startedOn ?? "")).toBeGreaterThanOrEqual(before);
    const other = await openWith({ Args: ["--disable-notifications"] });
    expect(other.isWarm).toBe(false);
    const cold = other.address;
    // A window may reach its final size only after its browser has started.
    const fresh = await describeBrowser(address);
    const expected = await until(
      () => describeBrowser(cold),
      (description) => isDeepStrictEqual(description, fresh),
    ).catch(() => describeBrowser(cold));
    expect(fresh).toEqual(expected);
    await untilWarm(1);
    await Promise.all([server.close(address), server.close(cold)]);
    expect(await server.home.report("operator@localhost")).toMatchObject({ unitsUsed: 2, openBrowsers: 0 });
  });

  test("an Open request with a proxy receives the warm browser, whose requests all use that proxy", async () => {
    await using site = await openSite();
    await using proxy = await openProxy("ann:s3cret");
    const Proxy = { Host: "127.0.0.1", Port: String(proxy.port), Username: "ann", Password: "s3cret" };
    const { address, isWarm } = await openWith({ Proxy });
    expect(isWarm).toBe(true);
    expect(await readTitle(address, `http://plain.example:${site.port}/`)).toBe(TITLE);
    expect(proxy.targets).toContain(`GET plain.example:${site.port}`);
    expect(new Set(proxy.logins)).toEqual(new Set(["ann:s3cret"]));
    await untilWarm(1);
    const used = proxy.targets.length;
    const direct = await openWith({});
    expect(direct.isWarm).toBe(true);
    expect(await readTitle(direct.address, site.url)).toBe(TITLE);
    expect(proxy.targets).toHaveLength(used);
    await Promise.all([address, direct.address].map((one) => server.close(one)));
  });
});

/** Returns a browser's state as a new client sees it. */
async function describeBrowser(address: string): Promise<object> {
  await using client = await connectDevtools(address);
  const { targetInfos } = (await client.command("Target.getTargets")) as { targetInfos: Record<string, unknown>[] };
  const [page] = targetInfos;
  const { sessionId } = await client.command("Target.attachToTarget", { targetId: page?.["targetId"], flatten: true });
  const expression =
    "JSON.stringify([location.href, history.length, document.visibilityState, document.hasFocus(), innerWidth, " +
    "innerHeight, screen.width, screen.height, navigator.userAgent, navigator.languages, navigator.webdriver])";
  const { result } = await client.command("Runtime.evaluate", { expression }, String(sessionId));
  return {
    version: await client.command("Browser.getVersion"),
    targets: targetInfos.map(({ type, url, title, attached }) => ({ type, url, title, attached })),
    page: JSON.parse((result as { value: string }).value) as unknown,
  };
}

/** Loads a page in the browser. @returns The page's title. */
async function readTitle(address: string, url: string): Promise<string> {
  await using client = await connectDevtools(address);
  const evaluate = await openPage(client, url);
  return String(await evaluate("document.title"));
}

describe("with two concurrent launches and a capacity that is too high", () => {
  const LAUNCHES = 2;

  beforeAll(async () => {
    server = await startServer({ settings: { RBS_LAUNCHES: String(LAUNCHES), RBS_CAPACITY: "9999" } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("the server warns at startup and names the scarce resource", async () => {
    expect(server.output.stderr).toMatch(
      /^RBS_CAPACITY=9999 may need \d+ MiB of memory, but only \d+ are available, enough for /m,
    );
    expect(readLog(server, "capacity.short")).toContainEqual(
      expect.objectContaining({ capacity: 9999, resource: "MiB of memory" }),
    );
    expect(await readLoad()).toMatchObject({ status: "ready", capacity: 9999 });
  });

  test("concurrent Open requests all succeed, a few at a time, and the first requests don't wait for the last", async () => {
    // The number is small, because requests are refused after waiting 25 s, and a few launches take a busy machine
    // seconds.
    const count = 3 * LAUNCHES;
    const answers = await Promise.all(
      Array.from({ length: count }, () => server.post("Open", { ...SHELL, KeepOpen: 60 })),
    );
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([]);
    await until(browsers, ({ length }) => length === count);
    const times = readLog(server, "browser.opened").map(({ openMs }) => Number(openMs));
    expect(Math.min(...times) * 2).toBeLessThan(Math.max(...times));
    await Promise.all(answers.map(({ body }) => server.close(String(body["address"]))));
    await expectNothingHeld(server);
  });

  variant("callers that disconnect while waiting start no browsers", async () => {
    const before = readLog(server, "browser.opened").length;
    const callers = Array.from({ length: 20 }, () => new AbortController());
    const opens = callers.map(({ signal }) =>
      fetch(new URL("/api/v1/Browser/Open", server.url), {
        method: "POST",
        headers: { Authorization: `Bearer ${server.token}` },
        signal,
      }).catch(() => undefined),
    );
    await until(browsers, ({ length }) => length > 0);
    for (const caller of callers) caller.abort();
    await Promise.all(opens);
    await expectNothingHeld(server);
    const opened = readLog(server, "browser.opened").length;
    expect(opened - before).toBeLessThanOrEqual(2 * LAUNCHES);
    const report = await server.home.report("operator@localhost");
    expect(report).toMatchObject({ openBrowsers: 0, unitsUsed: opened });
  });
});
