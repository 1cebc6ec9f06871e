import { getCACertificates, setDefaultCACertificates } from "node:tls";
import puppeteer, { type Browser } from "puppeteer";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CERTIFICATE } from "../../../clients/tunnel/test/certificate.fixtures.ts";
import { openViewer } from "../support/desktop/desktop-viewer.ts";
import { freePort } from "../support/machine/free-port.ts";
import { startServer } from "../support/servers/real-server.ts";
import { type ReverseProxyName, openReverseProxy } from "../support/proxies/reverse-proxy.ts";
import { until } from "../support/until.ts";

/** A body just below the server's size limit. */
const LARGE = "x".repeat(4_000_000);

const TEST_MS = 400_000;

const before = getCACertificates();
beforeAll(() => setDefaultCACertificates([...before, CERTIFICATE]));
afterAll(() => setDefaultCACertificates(before));

/** What happens to open connections when the proxy reloads its configuration. */
const PROXIES: readonly (readonly [ReverseProxyName, "stay open" | "end"])[] = [
  ["nginx", "stay open"],
  ["HAProxy", "stay open"],
  ["Caddy", "end"],
];

test.each(PROXIES)(
  "browsers and desktops work through %s with the configuration in deploy/proxies, and connections %s on a reload",
  { timeout: TEST_MS },
  async (name, outcome) => {
    const port = await freePort();
    const settings = { RBS_PUBLIC_URL: `https://localhost:${port}`, RBS_TRUSTED_PROXIES: "127.0.0.1" };
    await using server = await startServer({ settings });
    await using proxy = await openReverseProxy(name, port, Number(server.url.port));
    const post = async (operation: string, body: object): Promise<Record<string, string>> => {
      const answer = await fetch(`${proxy.url}/api/v1/Browser/${operation}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${server.token}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, string>;
    };
    const { address = "" } = await post("Open", { KeepOpen: 300 });
    expect(address).toMatch(new RegExp(`^wss://localhost:${port}/`));
    const connect = (): Promise<Browser> => puppeteer.connect({ browserWSEndpoint: address });
    const browser = await connect();
    const page = await browser.newPage();
    await page.setContent("<body style='background:#3264c8'>");
    const { rfbUrl = "", password = "" } = await post("StartRemoteDesktop", { address });
    await using viewer = await openViewer(rfbUrl, password);
    await viewer.untilColor(600, 500, "3264c8");

    // The server, not the proxy, refuses the request.
    expect(await post("Query", { address, prompt: LARGE })).toMatchObject({ name: expect.any(String) as string });

    await proxy.reload();
    if (outcome === "end") {
      await viewer.closed;
      await until(
        () => browser.connected,
        (isConnected) => !isConnected,
      );
    }
    const later = outcome === "end" ? await connect() : browser;
    expect(await later.pages()).toHaveLength(2);
    await using laterViewer = outcome === "end" ? await openViewer(rfbUrl, password) : viewer;
    await laterViewer.untilColor(600, 500, "3264c8");
    await later.disconnect();
    await (await connect()).disconnect();
    expect(await post("Close", { address })).toEqual({ status: 200 });

    // Successful, refused and failing requests.
    const key = new URL(address).pathname.split("/").at(-1) ?? "";
    const paths = [
      `/devtools/browser/${key}?token=canary`,
      `/devtools/browser/${key}/desktop/x`,
      `/desktop/${key}/?key=canary`,
      "/healthz?token=canary",
    ];
    const askAll = (): Promise<unknown> =>
      Promise.all(paths.map((path) => fetch(proxy.url + path, { headers: { Referer: `${proxy.url}/?canary` } })));
    await askAll();
    server.signal("SIGKILL");
    await server.ended;
    await askAll();
    const log = await until(proxy.readLog, (text) => name === "HAProxy" || text.includes("502"));
    for (const secret of ["canary", key]) expect(log).not.toContain(secret);
  },
);
