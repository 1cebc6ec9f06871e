import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type FakeService, openFakeService } from "./fake-service.ts";
import { openTunnel } from "../src/open-tunnel.ts";

async function secondsUntil(event: Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await event;
  return (performance.now() - startedMs) / 1000;
}

async function silentService(): Promise<FakeService> {
  const service = await openFakeService();
  service.fallSilent();
  return service;
}

describe.concurrent("a peer that stops responding", () => {
  test("opening a tunnel to a silent server fails after 15 s", async () => {
    await using service = await silentService();
    for (const address of [service.address, service.rfbUrl]) {
      await expect(openTunnel({ address, port: 0 })).rejects.toMatchObject({
        name: "Unreachable",
        message: expect.stringMatching(/did not answer within 15 s/),
      });
    }
  });

  test("if the server falls silent, a new client of an open tunnel receives an error after 15 s", async () => {
    await using service = await openFakeService();
    await using tunnel = await openTunnel({ address: service.address, port: 0 });
    const answer = await fetch(`http://127.0.0.1:${tunnel.port}/json/version`);
    const { webSocketDebuggerUrl } = (await answer.json()) as { webSocketDebuggerUrl: string };
    service.fallSilent();
    const client = new WebSocket(webSocketDebuggerUrl).on("error", () => {});
    const [, refusal] = (await once(client, "unexpected-response")) as [unknown, { statusCode: number }];
    expect(refusal.statusCode).toBe(504);
  });

  test("if the server falls silent, a viewer is disconnected after 15 s with a message", async () => {
    const notices: string[] = [];
    await using service = await openFakeService();
    await using tunnel = await openTunnel({
      address: service.rfbUrl,
      port: 0,
      onNotice: (notice) => notices.push(notice),
    });
    service.fallSilent();
    const viewer = connect(tunnel.port, "127.0.0.1").resume();
    expect(await secondsUntil(once(viewer, "close"))).toBeLessThan(20);
    expect(notices).toEqual([expect.stringMatching(/could not be connected\. .* did not answer within 15 s/)]);
  });

  test("if the browser stops responding, the tunnel closes after half a minute without a connection", async () => {
    await using service = await openFakeService();
    await using tunnel = await openTunnel({ address: service.address, port: 0 });
    service.fallSilent();
    expect(await tunnel.ended).toMatch(/^The connection to the browser was lost\. .* did not answer within 15 s/);
  });

  test("if a local program's request is incomplete, the connection closes within 15 s", async () => {
    await using service = await openFakeService();
    await using tunnel = await openTunnel({ address: service.address, port: 0 });
    const program = connect(tunnel.port, "127.0.0.1").resume();
    program.write("GET /json/version HTTP/1.1\r\nHost: localhost\r\n");
    expect(await secondsUntil(once(program, "close"))).toBeLessThan(17);
  });
});
