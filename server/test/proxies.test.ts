import puppeteer from "puppeteer";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Site, TITLE, openSite } from "./support/local-site.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { type RealServer, startServer } from "./support/real-server.ts";
import { type TestProxy, openProxy } from "./support/test-proxy.ts";

const [Username, Password] = ["ann", "s3cret: with/all@kinds?"];

let server: RealServer;
let site: Site;
let secureSite: Site;
let proxy: TestProxy;

beforeAll(async () => {
  [server, site, secureSite, proxy] = await Promise.all([
    startServer({ settings: { RBS_EGRESS: "any" } }),
    openSite(),
    openSite({ isSecure: true }),
    openProxy(`${Username}:${Password}`),
  ]);
});

afterEach(() => expectNothingHeld(server));

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await Promise.all([site, secureSite, proxy].map((one) => one[Symbol.asyncDispose]()));
});

/** Opens a browser and loads a page. @returns Its status and title, or the error if it fails. */
async function loadPage(options: object, url: string): Promise<{ status: number | undefined; title: string }> {
  const address = await server.open(options);
  const browser = await puppeteer.connect({ browserWSEndpoint: address, acceptInsecureCerts: true });
  const page = await browser.newPage();
  try {
    const response = await page.goto(url);
    return { status: response?.status(), title: await page.title() };
  } catch (error) {
    return { status: undefined, title: (error as Error).message };
  } finally {
    await browser.disconnect();
    await server.close(address);
  }
}

test.each([
  ["PascalCase", { Proxy: { Host: "127.0.0.1", Username, Password } }, "Port"],
  ["camelCase", { proxy: { host: "http://127.0.0.1", username: Username, password: Password } }, "port"],
])("a browser uses its proxy with credentials, with options in %s", async (_, options, port) => {
  const [[name, wanted] = ["", {}]] = Object.entries(options);
  const url = `http://plain.example:${site.port}/`;
  const seen = await loadPage({ [name]: { ...wanted, [port]: String(proxy.port) } }, url);
  expect(seen).toEqual({ status: 200, title: TITLE });
  expect(proxy.logins).toContain(`${Username}:${Password}`);
  expect(proxy.targets).toContain(`GET plain.example:${site.port}`);
  expect(site.visits).toContain(`plain.example:${site.port}/`);
});

test("https goes through the proxy as a tunnel", async () => {
  const Proxy = { Host: "127.0.0.1", Port: String(proxy.port), Username, Password };
  const seen = await loadPage({ Proxy }, `https://secure.example:${secureSite.port}/`);
  expect(seen).toEqual({ status: 200, title: TITLE });
  expect(proxy.targets).toContain(`CONNECT secure.example:${secureSite.port}`);
  expect(secureSite.visits).toContain(`secure.example:${secureSite.port}/`);
});

test("pages fail if the proxy refuses the credentials", async () => {
  const before = site.visits.length;
  const Proxy = { Host: "127.0.0.1", Port: String(proxy.port), Username, Password: "wrong" };
  const { title } = await loadPage({ Proxy }, `http://plain.example:${site.port}/`);
  expect(title).not.toBe(TITLE);
  expect(proxy.logins).toContain(`${Username}:wrong`);
  expect(site.visits).toHaveLength(before);
});

test("without a proxy, a browser connects directly", async () => {
  const before = proxy.targets.length;
  expect(await loadPage({}, site.url)).toEqual({ status: 200, title: TITLE });
  expect(proxy.targets).toHaveLength(before);
});
