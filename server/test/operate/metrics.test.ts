import { afterAll, beforeAll, expect, test } from "vitest";
import { connectViewer, openViewer } from "../support/desktop/desktop-viewer.ts";
import { connectDevtools, openPage } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { openSite, type Site } from "../support/sites/local-site.ts";
import { readLog, type RealServer, startServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";

let server: RealServer;
let site: Site;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer({ settings: { RBS_EGRESS: "any" } }), openSite()]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Reads the values of this service's metrics, by name and labels. */
async function scrape(): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(new URL("/metrics", server.url));
  const lines = (await answer.text()).split("\n").filter((line) => /^(?:rbs|process)_/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

test("metrics count real browsers while they are open and after they have closed", async () => {
  const before = await scrape();
  expect(before["process_resident_memory_bytes"]).toBeGreaterThan(0);
  const address = await server.open({ Headless: false });
  const shell = await server.open({ Browser: 3 });
  const client = await connectDevtools(address);
  await openPage(client, site.url);
  const { body } = await server.post("StartRemoteDesktop", { address });
  const [rfbUrl, password] = [String(body["rfbUrl"]), String(body["password"])];
  const viewer = await openViewer(rfbUrl, password);
  const unauthenticated = await connectViewer(rfbUrl);
  expect(await server.post("Open", { Browser: 0 })).toMatchObject({ status: 503 });

  const during = await scrape();
  const id = String(readLog(server, "browser.opened").find(({ kind }) => kind === "chromium")?.["id"]);
  expect(during).toMatchObject({
    'rbs_browsers_open{kind="chromium"}': 1,
    'rbs_browsers_open{kind="chrome-headless-shell"}': 1,
    rbs_capacity_taken: 2,
    rbs_browsers_warm: 0,
    rbs_desktops_started: 1,
    rbs_desktop_viewers: 1,
    rbs_connections: 3,
    rbs_launches_running: 0,
    rbs_units_total: 2,
    'rbs_opens_total{outcome="ok"}': 2,
    'rbs_opens_total{outcome="BrowserUnavailable"}': 1,
    'rbs_open_seconds_count{kind="chromium",start="cold"}': 1,
  });
  for (const direction of ["sent", "received"]) {
    expect(during[`rbs_traffic_bytes_total{direction="${direction}"}`]).toBeGreaterThan(50);
  }

  unauthenticated.socket.terminate();
  await viewer[Symbol.asyncDispose]();
  await client[Symbol.asyncDispose]();
  await Promise.all([address, shell].map((one) => server.close(one)));
  await expectNothingHeld(server);
  const after = await until(scrape, (now) => now["rbs_connections"] === 0);
  expect(after).toMatchObject({
    rbs_capacity_taken: 0,
    rbs_desktops_started: 0,
    rbs_desktop_viewers: 0,
    'rbs_browser_ends_total{kind="chromium",reason="requested"}': 1,
    'rbs_browser_ends_total{kind="chrome-headless-shell",reason="requested"}': 1,
  });
  expect(Object.keys(after).filter((line) => line.includes(id))).toEqual([]);
  expect(after['rbs_traffic_bytes_total{direction="received"}']).toBeGreaterThan(50);
});
