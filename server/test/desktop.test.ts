import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { send } from "./support/call.ts";
import { type DesktopViewer, connectViewer, openViewer } from "./support/desktop-viewer.ts";
import { connectDevtools, openPage, readRefusal } from "./support/devtools-client.ts";
import { expectNothingHeld } from "./support/resources.ts";
import { commandLine, kill } from "./support/processes.ts";
import { RfbRefusal } from "./support/rfb-client.ts";
import { lastEnds, readLog, type RealServer, startServer } from "./support/real-server.ts";
import { until } from "./support/until.ts";

const GRAPHICAL = { Headless: false };
const CONTROL = 0xffe3;
const WHEEL_DOWN = 16;
/** A point in the page of every test, away from the browser's own controls. */
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

/** The passwords in Get, in the order of opening. */
async function readVncpasses(): Promise<unknown[]> {
  const { sessions } = (await server.get()).body as { sessions: { vncpass: unknown }[] };
  return sessions.map(({ vncpass }) => vncpass);
}

type Page = AsyncDisposable & { evaluate(expression: string): Promise<unknown> };

/** Opens a page over DevTools, and evaluates expressions in it. */
async function show(address: string, html: string): Promise<Page> {
  const client = await connectDevtools(address);
  const page = `<!doctype html><style>html{height:100%;margin:0;background:#3264c8}</style>${html}`;
  const evaluate = await openPage(client, `data:text/html,${encodeURIComponent(page)}`);
  return { evaluate, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}

/** Clicks into the input at the top of the page, as users do before they type. */
async function focus(viewer: DesktopViewer, page: Page): Promise<void> {
  const top = Number(await page.evaluate("outerHeight - innerHeight"));
  viewer.click(600, top + 20);
  await until(
    () => page.evaluate("document.activeElement.id"),
    (id) => id === "i",
  );
}

describe("a desktop", () => {
  test("has new passwords of 8 characters at every start, and vncpass while it is started", async () => {
    const address = await server.open(GRAPHICAL);
    expect(await readVncpasses()).toEqual([null]);
    const first = await start(address);
    expect([first.password, first.viewPassword].map(({ length }) => length)).toEqual([8, 8]);
    expect(await readVncpasses()).toEqual([first.password]);
    expect(await start(address)).toEqual(first);
    await stop(address);
    await stop(address);
    expect(await readVncpasses()).toEqual([null]);
    const second = await start(address);
    const all = [first, second].flatMap(({ password, viewPassword }) => [password, viewPassword]);
    expect(new Set(all).size).toBe(4);
    expect(second.rfbUrl).not.toBe(first.rfbUrl);
    await server.close(address);
  });

  test("has a different secret than the browser's address, and the host name it was started under", async () => {
    const address = await server.open(GRAPHICAL);
    const { url, rfbUrl, password } = await start(address);
    const key = /\/desktop\/([\w-]{22,})#/.exec(url)?.[1] ?? "";
    expect(address).not.toContain(key);
    expect(url).toBe(`${server.url.origin}/desktop/${key}#${password}`);
    expect(rfbUrl).toBe(`ws://${server.url.host}/desktop/${key}/rfb`);
    expect(await readRefusal(`ws://${server.url.host}/devtools/browser/${key}`)).toMatchObject({ status: 404 });
    await server.close(address);
  });

  test("is available only for browsers with a screen", async () => {
    const address = await server.open();
    expect(await server.post("StartRemoteDesktop", { address })).toMatchObject({
      status: 409,
      body: { name: "DesktopUnavailable" },
    });
    await stop(address);
    await server.close(address);
    for (const operation of ["StartRemoteDesktop", "StopRemoteDesktop"]) {
      expect(await server.post(operation, { address })).toMatchObject({
        status: 404,
        body: { name: "BrowserNotFound" },
      });
    }
  });
});

describe("a viewer", () => {
  test("sees changes of the page, and the page gets the viewer's input", async () => {
    const address = await server.open(GRAPHICAL);
    await using page = await show(address, "<input id=i style='width:100%;font-size:40px'><p style='height:5000px'>");
    const { rfbUrl, password } = await start(address);
    await using viewer = await openViewer(rfbUrl, password);
    expect(await viewer.capture()).toMatchObject({ width: 1920, height: 1080 });
    await viewer.untilColor(X, Y, BLUE);
    await page.evaluate("void (document.documentElement.style.background = '#c83264')");
    await viewer.untilColor(X, Y, RED);

    await focus(viewer, page);
    viewer.type("Hi, there");
    await until(
      () => page.evaluate("document.querySelector('#i').value"),
      (value) => value === "Hi, there",
    );
    for (const buttons of [WHEEL_DOWN, 0]) viewer.point(X, Y, buttons);
    await until(
      () => page.evaluate("scrollY"),
      (y) => Number(y) > 0,
    );
    await server.close(address);
  });

  test("shares its clipboard with the browser in both directions", async () => {
    const address = await server.open(GRAPHICAL);
    await using page = await show(address, "<textarea id=t autofocus style='width:100%;height:500px'></textarea>");
    const { rfbUrl, password } = await start(address);
    await using viewer = await openViewer(rfbUrl, password);
    viewer.click(X, Y - 200);
    viewer.setClipboard("from the viewer");
    const pasted = (): Promise<unknown> => page.evaluate("document.querySelector('#t').value");
    const isPasted = (value: unknown): boolean => value === "from the viewer";
    // The clipboard arrives a moment after the viewer sends it. Until then, paste does nothing and is tried again.
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

  test("with the view-only password sees everything, and its input is ignored", async () => {
    const address = await server.open(GRAPHICAL);
    await using page = await show(address, "<input id=i style='width:100%;font-size:40px'>");
    const { rfbUrl, password, viewPassword } = await start(address);
    await using watcher = await openViewer(rfbUrl, viewPassword);
    await using viewer = await openViewer(rfbUrl, password);
    await focus(viewer, page);
    watcher.type("evil");
    watcher.click(X, Y);
    // When the screen answers the watcher, it has already dropped the watcher's input. The other viewer types later.
    await watcher.untilColor(X, Y, BLUE);
    viewer.type("good");
    const typed = await until(
      () => page.evaluate("document.querySelector('#i').value"),
      (value) => String(value).includes("good"),
    );
    expect(typed).toBe("good");
    await server.close(address);
  });

  test("counts as activity once it has authenticated, and not before", async () => {
    const address = await server.open({ ...GRAPHICAL, KeepOpen: 1 });
    const { rfbUrl, password } = await start(address);
    const viewer = await openViewer(rfbUrl, password);
    const other = await server.open({ ...GRAPHICAL, KeepOpen: 1 });
    const unauthenticated = await connectViewer((await start(other)).rfbUrl);
    expect(await unauthenticated.closed).toEqual({ code: 1000, reason: "browser closed: inactive" });
    expect(await server.addresses()).toEqual([address]);
    await viewer[Symbol.asyncDispose]();
    const [end] = await lastEnds(server, 1);
    expect(end).toMatchObject({ reason: "inactive" });
  });
});

describe("viewers are disconnected", () => {
  test.each<[string, (address: string) => Promise<unknown>, object]>([
    ["when the desktop stops", stop, { code: 1000, reason: "desktop stopped" }],
    [
      "when the browser is closed",
      (address) => server.close(address),
      { code: 1000, reason: "browser closed: requested" },
    ],
    ["when the browser exits", leave, { code: 1000, reason: "browser closed: exited" }],
    ["when Chromium is killed", () => killAll("chromium "), { code: 1011, reason: "browser closed: crashed" }],
    ["when Xvnc is killed", () => killAll("Xvnc "), { code: 1011, reason: "browser closed: crashed" }],
  ])("%s", async (_name, end, notified) => {
    const address = await server.open(GRAPHICAL);
    const bystander = await server.open({ Browser: 3 });
    const { rfbUrl, password, viewPassword } = await start(address);
    const viewers = await Promise.all([openViewer(rfbUrl, password), openViewer(rfbUrl, viewPassword)]);
    await end(address);
    expect(await Promise.all(viewers.map(({ closed }) => closed))).toEqual([notified, notified]);
    expect(await readRefusal(rfbUrl)).toMatchObject({ status: 404, name: "NotFound" });
    await server.post("Close", { address });
    expect(await server.addresses()).toEqual([bystander]);
    await server.close(bystander);
  });

  async function leave(address: string): Promise<void> {
    const client = await connectDevtools(address);
    await client.command("Browser.close");
    await client.closed;
  }

  async function killAll(program: string): Promise<void> {
    const found = server.processes().filter((one) => isProgram(commandLine(one), program));
    expect(found.length).toBeGreaterThan(0);
    found.forEach(kill);
  }

  function isProgram(line: string, program: string): boolean {
    return line.startsWith(program) || line.startsWith(`/usr/lib/chromium/${program}`);
  }
});

describe("faults", () => {
  test("many wrong passwords are each refused, and don't affect viewers and browsers", async () => {
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

  test("a viewer that sends garbage loses its own connection, and one that stops reading doesn't delay others", async () => {
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
  });

  test("concurrent Start, Stop and Close requests leave nothing behind, and the contract declares every answer", async () => {
    const address = await server.open(GRAPHICAL);
    const operations = ["StartRemoteDesktop", "StopRemoteDesktop", "StartRemoteDesktop", "Close", "StartRemoteDesktop"];
    const answers = await Promise.all(operations.map((operation) => server.post(operation, { address })));
    for (const { status } of answers) expect([200, 404]).toContain(status);
    expect(answers.at(-2)?.status).toBe(200);
  });

  test("the log has a desktop's start and stop, without its passwords and keys", async () => {
    const address = await server.open(GRAPHICAL);
    const { url, password, viewPassword } = await start(address);
    await expect(openViewer(url.replace(/^http/, "ws").replace(/#.*/, "/rfb"), "wrong")).rejects.toThrow(RfbRefusal);
    await stop(address);
    await server.close(address);
    expect(readLog(server, "desktop.started").length).toBeGreaterThan(0);
    expect(readLog(server, "desktop.stopped").at(-1)).toMatchObject({ id: expect.any(String) });
    const key = new URL(url).pathname.split("/").at(-1) ?? "";
    for (const secret of [password, viewPassword, key]) expect(server.output.stderr).not.toContain(secret);
  });

  test("a plain request to the WebSocket is answered with 426", async () => {
    const address = await server.open(GRAPHICAL);
    const { rfbUrl } = await start(address);
    const answer = await send(new URL(rfbUrl.replace(/^ws/, "http")), "GET");
    expect(answer).toMatchObject({ status: 426, body: { name: "UpgradeRequired" } });
    await server.close(address);
  });
});
