import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort } from "../support/machine/free-port.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { TITLE } from "../support/sites/local-site.ts";
import { loadPage, withBrowser } from "../support/proxies/proxied-browser.ts";
import { type RealServer, startServer } from "../support/servers/real-server.ts";
import { CHECK, openRichSite, readFindings, type RichSite } from "../support/sites/rich-site.ts";
import { openSocksServer, type SocksServer } from "../support/proxies/socks-server.ts";
import { openTinyproxy, type Tinyproxy } from "../support/proxies/tinyproxy.ts";

const LOGIN = { username: "ann", password: "s3cret" };
const Args = ["--ignore-certificate-errors"];
const [Username, Password] = [LOGIN.username, LOGIN.password];

let server: RealServer;
let site: RichSite;
let secureSite: RichSite;
let tinyproxy: Tinyproxy;
let socks: SocksServer;

beforeAll(async () => {
  [server, site, secureSite, tinyproxy, socks] = await Promise.all([
    startServer({ settings: { RBS_EGRESS: "any" } }),
    openRichSite(),
    openRichSite({ isSecure: true }),
    openTinyproxy(LOGIN),
    openSocksServer(LOGIN),
  ]);
});

afterEach(() => expectNothingHeld(server));

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([site, secureSite, tinyproxy, socks].map((one) => one[Symbol.asyncDispose]()));
});

test("pages, uploads, concurrent requests and WebSockets work through a proxy", async () => {
  const Proxy = { Host: "127.0.0.1", Port: String(tinyproxy.port), Username, Password };
  await withBrowser(server, { Proxy, Args }, async (newPage) => {
    for (const { origin } of [site, secureSite]) {
      const page = await newPage();
      await page.goto(`${origin}/`);
      expect(await page.title()).toBe(TITLE);
      const findings = readFindings(String(await page.evaluate(CHECK)));
      expect(findings).toEqual({ echo: "echo of hello", answered: 200, isSameDown: true, isSameUp: true });
    }
  });
  for (const { port } of [site, secureSite]) expect(tinyproxy.log()).toContain(`127.0.0.1:${port}`);
});

test.each([
  ["socks5", "a wrong password", 597, "requires a user name and password"],
  ["https", "a closed port", 594, "refuses connections"],
])("%s proxy with %s: http shows a page with the reason, https a proxy error", async (scheme, what, status, text) => {
  const used = scheme === "socks5" ? socks.port : tinyproxy.port;
  const port = what === "a wrong password" ? used : await freePort();
  const Proxy = { Host: `${scheme}://127.0.0.1`, Port: String(port), Username, Password: "wrong" };
  await withBrowser(server, { Proxy, Args }, async (newPage) => {
    const page = await newPage();
    const seen = await loadPage(page, `${site.origin}/`);
    expect(seen).toEqual({ status, text: expect.stringContaining(text) });
    expect(seen.text).toContain("Proxy error");
    expect((await loadPage(page, `${secureSite.origin}/`)).text).toContain("net::ERR_TUNNEL_CONNECTION_FAILED");
  });
});
