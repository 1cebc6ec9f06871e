import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { send } from "../support/servers/call.ts";
import { openViewer } from "../support/desktop/desktop-viewer.ts";
import { connectDevtools, openPage, readRefusal } from "../support/browsers/devtools-client.ts";
import { expectNothingHeld } from "../support/browsers/resources.ts";
import { commandLine, kill } from "../support/machine/processes.ts";
import { RfbRefusal } from "../support/desktop/rfb-client.ts";
import { readLog, type RealServer, startServer } from "../support/servers/real-server.ts";
import { until } from "../support/until.ts";
import { variant } from "../support/variants.ts";

const GRAPHICAL = { Headless: false };
const CONTROL = 0xffe3;
/** A point inside every test's page, away from the browser's own controls. */
const [X, Y] = [900, 700];
const BLUE = "3264c8";
const RED = "c83264";

let server: RealServer;

beforeAll(async () => {
  server = await startServer({ settings: { RBS_EGRESS: "any" } });
});
afterEach(async () => {
  // Browsers that a failed test left open would make the next tests fail.
  await Promise.all((await server.addresses()).map((address) => server.post("Close", { address })));
  await expectNothingHeld(server);
});
afterAll(() => server[Symbol.asyncDispose]());

type Access = {
  readonly password: string;
  readonly viewPassword: string;
  readonly url: string;
  readonly rfbUrl: string;
};

async function start(address: string): Promise<Access> {
  const { status, body } = await server.post("StartRemoteDesktop", { address });
  expect(status).toBe(200);
  return body as Access;
}

async function stop(address: string): Promise<void> {
  expect(await server.post("StopRemoteDesktop", { address })).toMatchObject({ status: 200, body: { status: 200 } });
}

type Page = AsyncDisposable & { evaluate(expression: string): Promise<unknown> };

/** Opens a page over DevTools, and evaluates expressions in it. */
async function show(address: string, html: string): Promise<Page> {
  const client = await connectDevtools(address);
  const page = `<!doctype html><style>html{height:100%;margin:0;background:#3264c8}</style>${html}`;
  const evaluate = await openPage(client, `data:text/html,${encodeURIComponent(page)}`);
  return { evaluate, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

test("a desktop's URLs contain their own secret, which isn't logged, and the host name from the Start request", async () => {
  const address = await server.open(GRAPHICAL);
  const { url, rfbUrl, password, viewPassword } = await start(address);
  const key = /\/desktop\/([\w-]{22,})#/.exec(url)?.[1] ?? "";
  expect(address).not.toContain(key);
  expect(url).toBe(`${server.url.origin}/desktop/${key}#${password}`);
  expect(rfbUrl).toBe(`ws://${server.url.host}/desktop/${key}/rfb`);
  expect(await readRefusal(`ws://${server.url.host}/devtools/browser/${key}`)).toMatchObject({ status: 404 });
  const plain = await send(new URL(rfbUrl.replace(/^ws/, "http")), "GET");
  expect(plain).toMatchObject({ status: 426, body: { name: "UpgradeRequired" } });

  await expect(openViewer(rfbUrl, "wrong")).rejects.toThrow(RfbRefusal);
  await stop(address);
  await server.close(address);
  expect(readLog(server, "desktop.started").length).toBeGreaterThan(0);
  expect(readLog(server, "desktop.stopped").at(-1)).toMatchObject({ id: expect.any(String) });
  for (const secret of [password, viewPassword, key]) expect(server.output.stderr).not.toContain(secret);
});

describe("a viewer", () => {
  test("shares its clipboard with the browser in both directions", async () => {
    const address = await server.open(GRAPHICAL);
    await using page = await show(address, "<textarea id=t autofocus style='width:100%;height:500px'></textarea>");
    const { rfbUrl, password } = await start(address);
    await using viewer = await openViewer(rfbUrl, password);
    viewer.click(X, Y - 200);
    viewer.setClipboard("from the viewer");
    const pasted = (): Promise<unknown> => page.evaluate("document.querySelector('#t').value");
    const isPasted = (value: unknown): boolean => value === "from the viewer";
    // The clipboard arrives shortly after the viewer sends it, so pasting is retried until it works.
    await until(() => {
      viewer.press(CONTROL, "v".charCodeAt(0));
      return until(pasted, isPasted, 1000).catch(String);
    }, isPasted);
    await page.evaluate(
      "void (document.body.innerHTML = '<textarea id=u style=width:100%;height:500px>from the page</textarea>', " +
        "document.querySelector('#u').focus(), document.querySelector('#u').select())",
    );
    viewer.press(CONTROL, "c".charCodeAt(0));
    expect(await viewer.clipboard).toBe("from the page");
    await server.close(address);
  });
});

test("killing Xvnc disconnects its viewers without affecting other browsers", async () => {
  const address = await server.open(GRAPHICAL);
  const bystander = await server.open({ Browser: 3 });
  const { rfbUrl, password, viewPassword } = await start(address);
  const viewers = await Promise.all([openViewer(rfbUrl, password), openViewer(rfbUrl, viewPassword)]);
  const screens = server.processes().filter((one) => commandLine(one).startsWith("Xvnc "));
  expect(screens).toHaveLength(1);
  screens.forEach((one) => kill(one));
  const crashed = { code: 1011, reason: "browser closed: crashed" };
  expect(await Promise.all(viewers.map(({ closed }) => closed))).toEqual([crashed, crashed]);
  expect(await readRefusal(rfbUrl)).toMatchObject({ status: 404, name: "NotFound" });
  await server.post("Close", { address });
  expect(await server.addresses()).toEqual([bystander]);
  await server.close(bystander);
});

describe("faults", () => {
  test("many wrong passwords are all rejected without affecting viewers or browsers", async () => {
    const address = await server.open(GRAPHICAL);
    await using page = await show(address, "");
    const { rfbUrl, password } = await start(address);
    await using viewer = await openViewer(rfbUrl, password);
    const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => openViewer(rfbUrl, "wrong")));
    const refused = outcomes.map((one) => (one.status === "rejected" ? String(one.reason) : "accepted"));
    const isFair = (one: string): boolean => one === "Error: Authentication failure" || one.endsWith("response: 503");
    expect(refused.filter((one) => !isFair(one))).toEqual([]);
    expect(new Set(refused).size).toBe(2);
    await page.evaluate("void (document.documentElement.style.background = '#c83264')");
    await viewer.untilColor(X, Y, RED);
    await using late = await openViewer(rfbUrl, password);
    await late.untilColor(X, Y, RED);
    await server.close(address);
  });

  variant(
    "a viewer that sends garbage loses its connection, and a viewer that stops reading doesn't delay others",
    async () => {
      const address = await server.open(GRAPHICAL);
      await using page = await show(address, "");
      const { rfbUrl, password } = await start(address);
      await using viewer = await openViewer(rfbUrl, password);
      const garbage = await openViewer(rfbUrl, password);
      garbage.socket.send(Buffer.alloc(1000, 0xee));
      expect(await garbage.closed).toMatchObject({ code: 1011 });
      await using stalled = await openViewer(rfbUrl, password);
      stalled.socket.pause();
      void stalled.capture().catch(() => {});
      for (const color of [RED, "64c832", BLUE, "c86432"]) {
        await page.evaluate(`void (document.documentElement.style.background = '#${color}')`);
        await viewer.untilColor(X, Y, color);
      }
      await server.close(address);
    },
  );

  test("concurrent Start, Stop and Close requests leave nothing behind, and every response conforms to the contract", async () => {
    const address = await server.open(GRAPHICAL);
    const operations = ["StartRemoteDesktop", "StopRemoteDesktop", "StartRemoteDesktop", "Close", "StartRemoteDesktop"];
    const answers = await Promise.all(operations.map((operation) => server.post(operation, { address })));
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect(answers.at(-2)?.status).toBe(200);
  });
});
