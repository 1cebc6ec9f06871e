import { once } from "node:events";
import { get } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeDevtools, openFakeDevtools } from "../../../test/support/gateway/fake-devtools.ts";
import {
  type CountedTarget,
  type GatewayRig,
  countedTarget,
  openGatewayRig,
  readRefusal,
  readToEnd,
  upgradeHead,
} from "../../../test/support/gateway/gateway-rig.ts";

const KNOWN = "/devtools/browser/known";

let devtools: FakeDevtools;
let target: CountedTarget;
let rig: GatewayRig;
/** Upgrade requests that the browser received. */
let seen: { url: string | undefined; headers: Record<string, unknown> }[];

beforeEach(async () => {
  seen = [];
  devtools = await openFakeDevtools((_, { url, headers }) => seen.push({ url, headers }));
  target = countedTarget(devtools);
  rig = await openGatewayRig(target, {
    pathPrefix: "/rbs",
    publicHost: "browsers.example",
    origins: new Set(["https://app.example"]),
  });
});

afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await devtools[Symbol.asyncDispose]();
});

describe("refusals", () => {
  test.each<[string, string, Record<string, string | undefined>, number, string]>([
    ["an unknown path", "/devtools/page/known", {}, 404, "NotFound"],
    ["a path below the browser's path", `${KNOWN}/more`, {}, 404, "NotFound"],
    ["another prefix", `/other${KNOWN}`, {}, 404, "NotFound"],
    ["an unknown browser", "/devtools/browser/unknown", {}, 404, "BrowserNotFound"],
    ["an id in upper case", "/devtools/browser/KNOWN", {}, 404, "BrowserNotFound"],
    ["a foreign origin", KNOWN, { Origin: "http://evil.example" }, 403, "Forbidden"],
    ["the origin of a sandboxed page", KNOWN, { Origin: "null" }, 403, "Forbidden"],
    ["another port of this host as the origin", KNOWN, { Origin: "http://127.0.0.1:3000" }, 403, "Forbidden"],
    ["an unknown host", KNOWN, { Host: "evil.example" }, 403, "Forbidden"],
    [
      "an unknown host that matches its origin",
      KNOWN,
      { Host: "evil.example", Origin: "http://evil.example" },
      403,
      "Forbidden",
    ],
    ["an old version", KNOWN, { "Sec-WebSocket-Version": "8" }, 426, "UpgradeRequired"],
    ["no version", KNOWN, { "Sec-WebSocket-Version": undefined }, 426, "UpgradeRequired"],
    ["no key", KNOWN, { "Sec-WebSocket-Key": undefined }, 400, "BadRequest"],
    ["no host", KNOWN, { Host: undefined }, 400, "BadRequest"],
    ["two hosts", KNOWN, { host: "127.0.0.1" }, 400, "BadRequest"],
    ["two hosts, and another path", "/", { host: "127.0.0.1" }, 400, "BadRequest"],
  ])("%s is refused without contacting the browser", async (_, path, headers, status, name) => {
    const { head, ...answer } = await readRefusal(rig.send(upgradeHead(path, headers)));
    expect(answer).toEqual({
      status,
      body: {
        ...{ status, name, message: expect.any(String), requestId: "request-1" },
        ...(name === "BadRequest" && { errors: [{ path: "", message: answer.body["message"] }] }),
      },
    });
    expect(head).toContain("X-Request-Id: request-1");
    expect(head).toContain("Connection: close");
    expect(JSON.stringify(answer.body)).not.toMatch(/known/);
    expect([devtools.connections.size, target.joined]).toEqual([0, 0]);
  });

  test("a POST is refused", async () => {
    expect(await readRefusal(rig.send(upgradeHead(KNOWN).replace("GET", "POST")))).toMatchObject({
      status: 400,
      body: { name: "BadRequest" },
    });
  });

  test("a 426 response names the supported version", async () => {
    expect((await readRefusal(rig.send(upgradeHead(KNOWN, { "Sec-WebSocket-Version": "8" })))).head).toContain(
      "Sec-WebSocket-Version: 13",
    );
  });

  test("a refused client that keeps its connection open is disconnected", async () => {
    const client = rig.send(upgradeHead("/nowhere"));
    client.resume();
    await once(client, "end");
    client.write("still here");
    await expect.poll(() => rig.connections()).toBe(0);
    client.destroy();
  });

  test("ordinary requests go to the HTTP server, even if they offer another protocol", async () => {
    for (const headers of [
      {},
      { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" },
    ]) {
      const [response] = await once(get({ port: rig.port, path: KNOWN, headers, agent: false }), "response");
      expect(await readToEnd(response)).toEqual(Buffer.from("plain"));
    }
  });
});

describe("accepted upgrades", () => {
  test.each<[string, string, Record<string, string>]>([
    ["the bare path", KNOWN, {}],
    ["the deployment's prefix", `/rbs${KNOWN}`, {}],
    ["a prefix and path in a different case", "/RBS/DevTools/Browser/known", {}],
    ["a trailing slash and a query", `${KNOWN}/?stealth=1`, {}],
    ["the public host", KNOWN, { Host: "browsers.example:8443" }],
    ["the host through which the browser was opened", KNOWN, { Host: "worker.example" }],
    ["localhost", KNOWN, { Host: "localhost:9" }],
    ["its own origin", KNOWN, { Host: "browsers.example", Origin: "https://browsers.example" }],
    ["an origin that the operator allows", KNOWN, { Origin: "https://app.example" }],
  ])("%s connects to the browser", async (_, path, headers) => {
    const client = rig.send(upgradeHead(path, headers));
    const [answer] = await once(client, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 101 /);
    client.destroy();
    await target.left(1);
  });

  test("the browser receives only the WebSocket headers", async () => {
    const headers = {
      Origin: "https://app.example",
      Authorization: "Bearer canary",
      Cookie: "canary=1",
      "X-Forwarded-For": "192.0.2.1",
      "User-Agent": "canary",
      "Sec-WebSocket-Protocol": "cdp",
      "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
    };
    const client = rig.send(upgradeHead(`${KNOWN}?token=canary`, headers));
    await once(client, "data");
    client.destroy();
    expect(seen).toEqual([
      {
        url: "/devtools/browser/own-guid",
        headers: {
          host: "127.0.0.1",
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
          "sec-websocket-protocol": "cdp",
          "sec-websocket-extensions": "permessage-deflate; client_max_window_bits",
        },
      },
    ]);
  });
});
