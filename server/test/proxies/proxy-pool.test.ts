import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "../support/machine/free-port.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type Home, openHome } from "../support/servers/home.ts";
import { openSite, TITLE } from "../support/sites/local-site.ts";
import { commandLine, environment } from "../support/machine/processes.ts";
import { loadPage, withBrowser } from "../support/proxies/proxied-browser.ts";
import { readLog, startServer } from "../support/servers/real-server.ts";
import { openSocksServer } from "../support/proxies/socks-server.ts";
import { openTinyproxy } from "../support/proxies/tinyproxy.ts";
import { until } from "../support/until.ts";
import { variant } from "../support/variants.ts";

const LOGIN = { username: "canaryuser", password: "canarypassword" };
const SHELL = { Browser: 3 };
const USER = `${LOGIN.username}:${LOGIN.password}`;

let stack: AsyncDisposableStack;
let home: Home;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  home = stack.use(await openHome());
});

afterEach(() => stack.disposeAsync());

test("browsers share the deployment's working proxies, and no output contains their addresses", async () => {
  const [tinyproxy, socks, dead] = [
    stack.use(await openTinyproxy(LOGIN)),
    stack.use(await openSocksServer(LOGIN)),
    await freePort(),
  ];
  const site = stack.use(await openSite());
  const list = join(home.folder, "proxies.txt");
  // The site's address is private, and only the proxy can allow access to it.
  const [resolve, login] = ["?resolve=proxy", `${USER}@`];
  const urls = [`http://${login}127.0.0.1:${dead}`, `http://${login}127.0.0.1:${tinyproxy.port}${resolve} # ours`];
  await writeFile(list, ["# Two of three", ...urls, `socks5://${login}localhost:${socks.port}${resolve}`].join("\n"));
  // Unlike browsers, the operator may use private addresses.
  const server = stack.use(await startServer({ settings: { RBS_PROXIES: list } }, home));
  await until(
    () => readLog(server, "proxy.lost"),
    ({ length }) => length > 0,
  );
  const texts: string[] = [];
  const addresses: string[] = [];
  await withBrowser(server, {}, async (newPage) => {
    await withBrowser(server, SHELL, async (newOtherPage) => {
      for (const page of [await newPage(), await newOtherPage()]) {
        await page.goto(site.url);
        expect(await page.title()).toBe(TITLE);
      }
      addresses.push(...(await server.addresses()));
      const all = server.processes().concat({ pid: server.pid, parent: 0, session: 0, born: "" });
      texts.push(...all.flatMap((one) => [commandLine(one), environment(one)]));
    });
    // A browser with its own proxy uses only that proxy.
    const Proxy = { Host: "127.0.0.1", Port: String(dead) };
    await withBrowser(server, { ...SHELL, Proxy }, async (newOwnPage) => {
      expect((await loadPage(await newOwnPage(), site.url)).status).toBe(403);
    });
  });
  expect(tinyproxy.log()).toContain(`127.0.0.1:${site.port}`);
  expect(socks.targets).toContain(`127.0.0.1:${site.port}`);
  expect(readLog(server, "proxy.lost")).toMatchObject([{ proxy: 1, verdict: "unreachable" }]);

  await expectNothingHeld(server);
  server.signal("SIGTERM");
  const { code, stdout, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(addresses).toHaveLength(2);
  expect(texts.length).toBeGreaterThan(20);
  const secrets = [LOGIN.username, LOGIN.password, ...[tinyproxy, socks, { port: dead }].map(({ port }) => `:${port}`)];
  for (const text of [stdout, stderr, ...texts]) {
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});

variant("a warm browser uses only its Open request's proxy", async () => {
  const tinyproxy = stack.use(await openTinyproxy());
  const own = stack.use(await openTinyproxy(LOGIN));
  const site = stack.use(await openSite());
  const settings = { RBS_PROXIES: `http://127.0.0.1:${tinyproxy.port}`, RBS_WARM: '[{"Headless": true, "Count": 1}]' };
  const server = stack.use(await startServer({ settings: { ...settings, RBS_EGRESS: "any" } }, home));
  const Proxy = { Host: "127.0.0.1", Port: String(own.port), Username: LOGIN.username, Password: LOGIN.password };
  for (const [turn, options] of [{}, { Proxy }].entries()) {
    await until(
      () => readLog(server, "warm.started"),
      ({ length }) => length === turn + 1,
    );
    await withBrowser(server, options, async (newPage) => {
      expect((await loadPage(await newPage(), `${site.url}${turn}`)).status).toBe(200);
    });
  }
  expect(readLog(server, "browser.opened")).toMatchObject([{ isWarm: true }, { isWarm: true }]);
  expect(site.visits.filter((visit) => /\/[01]$/.test(visit))).toHaveLength(2);
  expect([`${site.url}0`, `${site.url}1`].map((url) => tinyproxy.log().includes(url))).toEqual([true, false]);
  expect([`${site.url}0`, `${site.url}1`].map((url) => own.log().includes(url))).toEqual([false, true]);
});
