import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../../test/support/until.ts";
import type { GatewayLimits } from "./limits.ts";
import {
  countedTarget,
  type GatewayRig,
  openGatewayRig,
  readRefusal,
  readToEnd,
  upgradeHead,
} from "../../../test/support/gateway/gateway-rig.ts";
import {
  CHALLENGE,
  AUTHENTICATED,
  openScriptedDesktop,
  type ScriptedDesktop,
  TYPES,
  VERSION,
  WRONG,
} from "../../../test/support/gateway/scripted-screen.ts";

const PATH = "/desktop/known/rfb";

let desktop: ScriptedDesktop;
let rig: GatewayRig;

async function open(limits: Partial<GatewayLimits> = {}): Promise<void> {
  desktop = await openScriptedDesktop();
  rig = await openGatewayRig(countedTarget({ port: 1 }), {
    pathPrefix: "/rbs",
    findDesktop: (id) => (id === "known" ? desktop.target : undefined),
    limits,
  });
}

/**
 * Opens a viewer. Returns the viewer, the RFB server's end of its connection, and the viewer's close code and reason.
 */
async function openViewer(): Promise<{
  viewer: WebSocket;
  screen: Socket;
  closed: Promise<{ code: number; reason: string }>;
}> {
  const viewer = await rig.openClient(PATH);
  viewer.on("error", () => {});
  const closed = once(viewer, "close").then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
  return { viewer, screen: await desktop.next(), closed };
}

/** Reads the next bytes, even if they span several messages. Must be called before the bytes are sent. */
function read(viewer: WebSocket, bytes: number): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const onMessage = (data: Buffer): void => {
    chunks.push(data);
    const all = Buffer.concat(chunks);
    if (all.length < bytes) return;
    viewer.off("message", onMessage);
    resolve(all);
  };
  viewer.on("message", onMessage);
  return promise;
}

async function authenticate(): Promise<Awaited<ReturnType<typeof openViewer>>> {
  const one = await openViewer();
  const received = read(one.viewer, AUTHENTICATED.length);
  one.screen.write(AUTHENTICATED);
  expect(await received).toEqual(AUTHENTICATED);
  return one;
}

beforeEach(() => open());

afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  // Every test ends with all connections to the screen closed and all viewers disconnected.
  await until(
    () => desktop.connections,
    (connections) => connections === 0,
  );
  expectAllLeft();
  await desktop[Symbol.asyncDispose]();
});

function expectAllLeft(): void {
  const count = (event: string): number => desktop.events.filter((one) => one === event).length;
  expect(count("left")).toBe(count("admitted"));
}

describe("the path to a screen", () => {
  test("relays bytes unchanged in both directions, even under a path prefix", async () => {
    const viewer = await rig.openClient(`/rbs${PATH}?token=x`);
    const screen = await desktop.next();
    const picture = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    const seen = read(viewer, AUTHENTICATED.length + picture.length);
    screen.write(AUTHENTICATED);
    screen.write(picture);
    expect((await seen).equals(Buffer.concat([AUTHENTICATED, picture]))).toBe(true);
    viewer.send(picture.subarray(0, 100_000));
    let received = 0;
    for await (const chunk of screen) {
      received += (chunk as Buffer).length;
      if (received === 100_000) break;
    }
    viewer.terminate();
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    ["a desktop that is not started", "/desktop/unknown/rfb", {}, 404, "NotFound"],
    ["the page's own path", "/desktop/known", {}, 404, "NotFound"],
    ["a page on another site", PATH, { Origin: "http://evil.example" }, 403, "Forbidden"],
    ["an unknown host", PATH, { Host: "evil.example" }, 403, "Forbidden"],
  ])("is refused for %s", async (_name, path, headers, status, name) => {
    const refusal = await readRefusal(rig.send(upgradeHead(path, headers)));
    expect(refusal).toMatchObject({ status, body: { name } });
  });

  test("returns 502 if the screen doesn't accept the connection", async () => {
    await desktop[Symbol.asyncDispose]();
    expect(await readRefusal(rig.send(upgradeHead(PATH)))).toMatchObject({ status: 502 });
  });

  test("selects a subprotocol only for older viewers, which require one", async () => {
    const viewer = new WebSocket(`ws://127.0.0.1:${rig.port}${PATH}`, ["binary"]);
    await once(viewer, "open");
    expect(viewer.protocol).toBe("binary");
    viewer.terminate();
    const { viewer: other } = await openViewer();
    expect(other.protocol).toBe("");
    other.terminate();
  });

  test("closes the connection to the screen when ws refuses the handshake", async () => {
    const answer = await readToEnd(rig.send(upgradeHead(PATH, { "Sec-WebSocket-Protocol": ",," })));
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe("a viewer", () => {
  test("counts as authenticated after the correct password until it disconnects", async () => {
    const { viewer } = await authenticate();
    expect(desktop.events).toEqual(["admitted", "authenticated"]);
    viewer.close();
    await until(
      () => desktop.events,
      (events) => events.includes("left"),
    );
    expect(desktop.events).toEqual(["admitted", "authenticated", "left"]);
  });

  test("is closed with the reason when the desktop stops", async () => {
    const [authenticated, other] = [await authenticate(), await openViewer()];
    desktop.stop();
    const stopped = { code: 1000, reason: "desktop stopped" };
    expect(await Promise.all([authenticated.closed, other.closed])).toEqual([stopped, stopped]);
  });

  test("that sends text is closed with a reason that asks for binary frames", async () => {
    const { viewer, closed } = await authenticate();
    viewer.send("hello");
    expect(await closed).toEqual({ code: 1003, reason: "Send RFB in binary frames." });
  });

  test("whose screen closes the connection is closed with the browser's end reason, or with 1011 if the reason arrives too late", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ endNoticeMs: 50 });
    const { screen, closed } = await authenticate();
    screen.destroy();
    expect(await closed).toEqual({ code: 1011, reason: "The screen closed the connection." });
    const other = await authenticate();
    other.screen.destroy();
    desktop.stop();
    expect(await other.closed).toMatchObject({ reason: "desktop stopped" });
  });
});

describe("a viewer that has not authenticated", () => {
  test("receives the response to a wrong password after a delay and is closed, without affecting other viewers", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ wrongPasswordMs: 300 });
    const other = await authenticate();
    const { viewer, screen, closed } = await openViewer();
    const before = read(viewer, VERSION.length + TYPES.length + CHALLENGE.length);
    screen.write(Buffer.concat([VERSION, TYPES, CHALLENGE]));
    await before;
    const asked = performance.now();
    screen.end(WRONG);
    expect(await read(viewer, WRONG.length)).toEqual(WRONG);
    expect(performance.now() - asked).toBeGreaterThan(290);
    expect(await closed).toEqual({ code: 1008, reason: "wrong password" });
    expect(other.viewer.readyState).toBe(WebSocket.OPEN);
    expect(desktop.events.filter((event) => event === "authenticated")).toHaveLength(1);
    other.viewer.terminate();
  });

  test("is closed if it sends no password in time", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ passwordMs: 50 });
    const { closed } = await openViewer();
    expect(await closed).toEqual({ code: 1008, reason: "No password was sent in time." });
  });

  test("is refused while the limit of unauthenticated viewers is reached, and accepted afterwards", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ maxUnauthenticated: 1 });
    const { viewer, screen } = await openViewer();
    expect(await readRefusal(rig.send(upgradeHead(PATH)))).toMatchObject({ status: 503 });
    const received = read(viewer, AUTHENTICATED.length);
    screen.write(AUTHENTICATED);
    await received;
    const second = await openViewer();
    viewer.terminate();
    second.viewer.terminate();
  });
});

describe("limits", () => {
  test("a viewer that exceeds a desktop's limit is refused", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ maxViewers: 1 });
    const { viewer } = await authenticate();
    expect(await readRefusal(rig.send(upgradeHead(PATH)))).toMatchObject({ status: 503 });
    viewer.terminate();
  });

  test("an overlong message closes the connection", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ maxViewerMessageBytes: 1000 });
    const { viewer, closed } = await authenticate();
    viewer.send(Buffer.alloc(1001));
    expect(await closed).toMatchObject({ code: 1009 });
  });

  test("a viewer that stops reading pauses its screen, uses little memory, and is disconnected", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ stallCheckMs: 20, stallMs: 200, maxBacklogBytes: 100_000 });
    const { viewer, screen, closed } = await authenticate();
    viewer.pause();
    const chunk = Buffer.alloc(64 * 1024);
    let written = 0;
    screen.setMaxListeners(0);
    const cut = new Promise<void>((resolve) => screen.once("close", resolve));
    while (!screen.destroyed && written < 64 * 2 ** 20) {
      const drained = new Promise<void>((resolve) => screen.once("drain", resolve));
      if (!screen.write(chunk)) await Promise.race([drained, cut]);
      written += chunk.length;
    }
    expect(written).toBeLessThan(32 * 2 ** 20);
    viewer.resume();
    await closed;
  });
});
