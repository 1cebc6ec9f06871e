import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../support/servers/call.ts";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { type Site, openSite } from "../support/sites/local-site.ts";
import { commandLine, environment } from "../support/machine/processes.ts";
import { type TestProxy, openProxy } from "../support/proxies/test-proxy.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";

const CANARIES = {
  token: "canary-token-0123456789",
  oldToken: "canary-wrong-token-0123456789",
  username: "canary-proxy-user",
  password: "canary-proxy-password",
  label: "canary-label",
  page: "canary-page-content",
  query: "canary-in-a-query",
  html: "canary-html",
};

let server: RealServer;
let site: Site;
let proxy: TestProxy;

beforeAll(async () => {
  [server, site, proxy] = await Promise.all([
    startServer({ settings: { RBS_EGRESS: "any" } }),
    openSite(),
    openProxy(),
  ]);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test("log lines, command lines and environments contain no secrets, even after all kinds of failures", async () => {
  const token = await server.home.newAccount("canary@example.com", "self-hosted", "--token", CANARIES.token);
  const { username: Username, password: Password, label: Label } = CANARIES;
  const upstream = { Host: "127.0.0.1", Username, Password };
  const addresses = await Promise.all([
    server.open({ Label, Proxy: { ...upstream, Port: String(proxy.port) } }, token),
    // The port is closed, so every page fails.
    server.open({ Label, Proxy: { ...upstream, Port: "9" } }, token),
  ]);
  for (const address of addresses) {
    await using client = await connectDevtools(`${address}?${CANARIES.query}`);
    const evaluate = await openPage(client, `http://127.0.0.1:${site.port}/?${CANARIES.query}`);
    await evaluate(`document.body.textContent = console.error("${CANARIES.page}") ?? "${CANARIES.page}"`);
  }
  expect(proxy.logins).toContain(`${Username}:${Password}`);

  const texts = server
    .processes()
    .concat({ pid: server.pid, parent: 0, session: 0, born: "" })
    .flatMap((one) => [commandLine(one), environment(one)]);

  // Failures of every kind, with a secret in each.
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const open = new URL("/api/v1/Browser/Open", server.url);
  const answers = await Promise.all([
    server.get(CANARIES.oldToken),
    server.post("Open", { Args: [`--proxy-server=${Username}:${Password}@x`] }, token),
    server.post("Open", { Proxy: { Host: `${Username}:${Password}@x`, Port: "1" } }, token),
    server.post("Open", { Proxy: { ...upstream, Port: 1 } }, token),
    server.post("Close", { address: `${addresses[0]}x` }, token),
    server.post("Open", Password, token),
    send(open, "POST", headers, `{"proxy":{"password":"${Password}"`),
    send(open, "POST", headers, `"${Password}`),
    send(open, "POST", headers, Password),
    send(open, "POST", { ...headers, "Content-Type": Password }, "{}"),
    send(new URL(`/${Label}?${CANARIES.query}`, server.url), "GET", headers),
    server.post("StartRemoteDesktop", { address: addresses[0] }, token),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([401, 400, 400, 400, 404, 400, 400, 400, 400, 415, 404, 409]);
  const chromium = server.processes().find((one) => /\/chromium (?!.*--type=)/.test(commandLine(one)));
  process.kill(chromium?.pid ?? 0, "SIGKILL");
  await Promise.all(addresses.map((address) => server.post("Close", { address }, token)));
  await expectNothingHeld(server);
  server.signal("SIGTERM");
  const { code, stdout, stderr } = await server.ended;
  expect(code).toBe(0);

  const secrets = [...Object.values(CANARIES), ...addresses.map((address) => address.replace(/^.*\//, ""))];
  for (const secret of secrets) {
    expect(stderr).not.toContain(secret);
    expect(stdout).not.toContain(secret);
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
  expect(texts.length).toBeGreaterThan(20);
  expect(stderr).toContain("request.refused");
});
