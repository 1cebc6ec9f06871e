import { once } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../test/support/until.ts";
import type { GatewayLimits } from "./limits.ts";
import {
  countedTarget,
  type GatewayRig,
  openGatewayRig,
  readRefusal,
  readToEnd,
  upgradeHead,
} from "./support/gateway-rig.ts";
import {
  CHALLENGE,
  ENTERED,
  openScriptedDesktop,
  type ScriptedDesktop,
  TYPES,
  VERSION,
  WRONG,
} from "./support/scripted-screen.ts";

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

/** A viewer, the screen's side of it, and how it ends. */
async function view(): Promise<{
  viewer: WebSocket;
  screen: Socket;
  closed: Promise<{ code: number; reason: string }>;
}> {
  const viewer = await rig.openClient(PATH);
  viewer.on("error", () => {});
  const closed = once(viewer, "close").then(([code, reason]) => ({ code: Number(code), reason: String(reason) }));
  return { viewer, screen: await desktop.next(), closed };
}

/** The next bytes, in whatever messages they come; asked for before they are sent. */
function read(viewer: WebSocket, bytes: number): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  const take = (data: Buffer): void => {
    chunks.push(data);
    const all = Buffer.concat(chunks);
    if (all.length < bytes) return;
    viewer.off("message", take);
    resolve(all);
  };
  viewer.on("message", take);
  return promise;
}

async function enter(): Promise<Awaited<ReturnType<typeof view>>> {
  const one = await view();
  const said = read(one.viewer, ENTERED.length);
  one.screen.write(ENTERED);
  expect(await said).toEqual(ENTERED);
  return one;
}

beforeEach(() => open());

afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  // Whatever happened, the screen has nobody connected and everybody who came has been counted out.
  await until(
    () => desktop.connections,
    (connections) => connections === 0,
  );
  expectAllLeft();
  await desktop[Symbol.asyncDispose]();
});

function expectAllLeft(): void {
  const count = (event: string): number => desktop.events.filter((one) => one === event).length;
  expect(count("leave")).toBe(count("visit"));
}

describe("the way to a screen", () => {
  test("passes bytes both ways as they are, below the prefix as well", async () => {
    const viewer = await rig.openClient(`/rbs${PATH}?token=x`);
    const screen = await desktop.next();
    const picture = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    const seen = read(viewer, ENTERED.length + picture.length);
    screen.write(ENTERED);
    screen.write(picture);
    expect((await seen).equals(Buffer.concat([ENTERED, picture]))).toBe(true);
    viewer.send(picture.subarray(0, 100_000));
    let heard = 0;
    for await (const chunk of screen) {
      heard += (chunk as Buffer).length;
      if (heard === 100_000) break;
    }
    viewer.terminate();
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    ["a desktop that is not started", "/desktop/unknown/rfb", {}, 404, "NotFound"],
    ["the page's own path", "/desktop/known", {}, 404, "NotFound"],
    ["a page of another site", PATH, { Origin: "http://evil.example" }, 403, "Forbidden"],
    ["a host that is not ours", PATH, { Host: "evil.example" }, 403, "Forbidden"],
  ])("is refused for %s", async (_name, path, headers, status, name) => {
    const refusal = await readRefusal(rig.send(upgradeHead(path, headers)));
    expect(refusal).toMatchObject({ status, body: { name } });
  });

  test("is a 502 when the screen does not take the connection", async () => {
    await desktop[Symbol.asyncDispose]();
    expect(await readRefusal(rig.send(upgradeHead(PATH)))).toMatchObject({ status: 502 });
  });

  test("speaks the subprotocol that older viewers insist on, and only to them", async () => {
    const viewer = new WebSocket(`ws://127.0.0.1:${rig.port}${PATH}`, ["binary"]);
    await once(viewer, "open");
    expect(viewer.protocol).toBe("binary");
    viewer.terminate();
    const { viewer: other } = await view();
    expect(other.protocol).toBe("");
    other.terminate();
  });

  test("gives the screen back when the handshake is one that ws refuses", async () => {
    const answer = await readToEnd(rig.send(upgradeHead(PATH, { "Sec-WebSocket-Protocol": ",," })));
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe("a viewer", () => {
  test("counts from the moment its password was right until it leaves", async () => {
    const { viewer } = await enter();
    expect(desktop.events).toEqual(["visit", "enter"]);
    viewer.close();
    await until(
      () => desktop.events,
      (events) => events.includes("leave"),
    );
    expect(desktop.events).toEqual(["visit", "enter", "leave"]);
  });

  test("that is connected when the desktop stops hears so", async () => {
    const [entered, stranger] = [await enter(), await view()];
    desktop.stop();
    const stopped = { code: 1000, reason: "desktop stopped" };
    expect(await Promise.all([entered.closed, stranger.closed])).toEqual([stopped, stopped]);
  });

  test("that sends text is told what to send", async () => {
    const { viewer, closed } = await enter();
    viewer.send("hello");
    expect(await closed).toEqual({ code: 1003, reason: "RFB goes in binary frames." });
  });

  test("whose screen dies hears the reason if there is one in time, else that it is gone", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ endNoticeMs: 50 });
    const { screen, closed } = await enter();
    screen.destroy();
    expect(await closed).toEqual({ code: 1011, reason: "The screen closed the connection." });
    const other = await enter();
    other.screen.destroy();
    desktop.stop();
    expect(await other.closed).toMatchObject({ reason: "desktop stopped" });
  });
});

describe("a stranger", () => {
  test("with a wrong password waits for its answer, and is then let go; others don't notice", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ wrongPasswordMs: 300 });
    const other = await enter();
    const { viewer, screen, closed } = await view();
    const before = read(viewer, VERSION.length + TYPES.length + CHALLENGE.length);
    screen.write(Buffer.concat([VERSION, TYPES, CHALLENGE]));
    await before;
    const asked = performance.now();
    screen.end(WRONG);
    expect(await read(viewer, WRONG.length)).toEqual(WRONG);
    expect(performance.now() - asked).toBeGreaterThan(290);
    expect(await closed).toEqual({ code: 1008, reason: "wrong password" });
    expect(other.viewer.readyState).toBe(WebSocket.OPEN);
    expect(desktop.events.filter((event) => event === "enter")).toHaveLength(1);
    other.viewer.terminate();
  });

  test("that shows no password in time is let go", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ passwordMs: 50 });
    const { closed } = await view();
    expect(await closed).toEqual({ code: 1008, reason: "no password was given in time" });
  });

  test("finds no room while there are as many as may be, and then it does", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ maxUnauthenticated: 1 });
    const { viewer, screen } = await view();
    expect(await readRefusal(rig.send(upgradeHead(PATH)))).toMatchObject({ status: 503 });
    const said = read(viewer, ENTERED.length);
    screen.write(ENTERED);
    await said;
    const second = await view();
    viewer.terminate();
    second.viewer.terminate();
  });
});

describe("bounds", () => {
  test("a desktop takes no more viewers than it can serve", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ maxViewers: 1 });
    const { viewer } = await enter();
    expect(await readRefusal(rig.send(upgradeHead(PATH)))).toMatchObject({ status: 503 });
    viewer.terminate();
  });

  test("a message that is too long ends its connection", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ maxViewerMessageBytes: 1000 });
    const { viewer, closed } = await enter();
    viewer.send(Buffer.alloc(1001));
    expect(await closed).toMatchObject({ code: 1009 });
  });

  test("a viewer that stops reading makes its screen wait, costs little, and is let go", async () => {
    await rig[Symbol.asyncDispose]();
    await open({ stallCheckMs: 20, stallMs: 200, maxBacklogBytes: 100_000 });
    const { viewer, screen, closed } = await enter();
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
