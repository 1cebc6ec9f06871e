import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { operations } from "@remote-browser/contract/operations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeService, startFakeService } from "../../test/support/servers/fake-service.ts";
import { until } from "../../test/support/until.ts";

const OPEN = operations.openBrowser.path;
const CLOSE = operations.closeBrowser.path;
const GET = operations.getBrowsers.path;
const START = operations.startRemoteDesktop.path;
const STOP = operations.stopRemoteDesktop.path;
const QUERY = operations.queryAi.path;

let fake: FakeService;
beforeAll(async () => {
  fake = await startFakeService({ RBS_CAPACITY: "100" });
});
afterAll(() => fake[Symbol.asyncDispose]());

async function refusalOf(body: unknown, path: string = OPEN): Promise<unknown> {
  return (await fake.post(path, body)).body;
}

describe("Open accepts", () => {
  test.each([
    {},
    null,
    { KeepOpen: null, Proxy: null, Args: null, Browser: null, Headless: null, Label: null },
    { unknown: 1 },
  ])("%j as a request for the defaults", async (body) => {
    expect((await fake.post(OPEN, body)).status).toBe(200);
  });

  test.each<[string, Record<string, string>]>([
    ["with a JSON content type", { "Content-Type": "application/json" }],
    ["with another content type", { "Content-Type": "text/plain" }],
    ["without a content type", {}],
  ])("a missing body %s as a request for the defaults", async (_name, headers) => {
    expect((await fake.send("POST", OPEN, undefined, headers)).status).toBe(200);
  });

  test("either spelling at either level, and both spellings with equal values", async () => {
    const bodies = [
      { headless: true },
      { Headless: true, headless: true },
      { proxy: { Host: "a.example", port: "80" } },
    ];
    for (const body of bodies) expect((await fake.post(OPEN, body)).status).toBe(200);
  });

  test("paths in upper or lower case", async () => {
    expect((await fake.post(OPEN.toLowerCase())).status).toBe(200);
    expect((await fake.send("GET", GET.toUpperCase())).status).toBe(200);
  });
});

describe("a screenshot's image", () => {
  const ask = (query: string): Promise<Response> =>
    fetch(new URL(`${operations.takeScreenshotImage.path}?${query}`, fake.service.url), {
      headers: { Authorization: `Bearer ${fake.token}` },
    });

  test("is the response's body, which isn't cached", async () => {
    const { id } = (await fake.post(OPEN, {})).body;
    const { type, image } = (await fake.post(operations.takeScreenshot.path, { id })).body;
    const answer = await ask(`id=${String(id)}&unknown=1`);
    const { status, headers } = answer;
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toMatch(/./);
    expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(image);
  });

  test.each([
    ["", "is required"],
    ["address=ws://127.0.0.1/", "is required"],
    ["id=", "must not be empty"],
    [`id=${"x".repeat(2049)}`, "must have at most 2048 characters"],
  ])("is refused for the query %j", async (query, message) => {
    const answer = await ask(query);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ name: "BadRequest", errors: [{ path: "/id", message }] });
  });

  test("doesn't exist for an unknown browser", async () => {
    const answer = await ask("id=br_");
    expect([answer.status, await answer.json()]).toMatchObject([404, { name: "BrowserNotFound" }]);
  });
});

test("Update accepts both spellings of Open's options", async () => {
  const { id } = (await fake.post(OPEN, {})).body;
  const sent = { KeepOpen: 70, label: "both", Tags: ["one"] };
  const { status, body } = await fake.post(operations.updateBrowser.path, { id, ...sent });
  expect([status, body]).toMatchObject([200, { keepOpen: 70, label: "both", tags: ["one"] }]);
  const differing = await fake.post(operations.updateBrowser.path, { id, KeepOpen: 70, keepOpen: 71 });
  expect(differing.body).toMatchObject({ status: 400, errors: [{ path: "/keepOpen" }] });
});

test.each<[string, string, object, readonly string[]]>([
  [
    "Open",
    OPEN,
    {
      KeepOpen: "long",
      Headless: true,
      headless: false,
      args: ["--remote-debugging-port=1"],
      language: "de",
      Screen: { Width: 400, Height: 300 },
      TimeZone: "Mars/Olympus",
      IgnoredDefaultArgs: ["--no-pings", "a b"],
      proxy: { Host: "a b", Port: "1", password: "x" },
    },
    ["/headless", "/KeepOpen", "/args/0", "/TimeZone", "/IgnoredDefaultArgs/1", "/proxy/Host", "/proxy/password"],
  ],
  [
    "Open",
    OPEN,
    {
      Label: 1,
      Args: ["--lang=fr", "--window-size=1,1", "--kiosk"],
      Language: "de",
      Screen: { Width: 400, Height: 300 },
    },
    ["/Label", "/Language", "/Screen", "/Screen"],
  ],
  ["History", operations.getBrowserHistory.path, { limit: 0, since: "x", until: "y" }, ["/limit", "/since", "/until"]],
  ["Update", operations.updateBrowser.path, { address: "a", id: "b", keepOpen: -1 }, ["/keepOpen", "/id"]],
  ["Update", operations.updateBrowser.path, { keepOpen: null }, ["/address", ""]],
  ["Query", QUERY, { html: "<p>", prompt: "x".repeat(250_000), responseFormat: "xml" }, ["/prompt", "/responseFormat"]],
  ["Query", QUERY, { html: "", prompt: "x", responseFormat: "xml" }, ["/html", "/responseFormat"]],
])("%s reports all mistakes in a body together", async (_name, path, body, places) => {
  const { status, body: refusal } = await fake.post(path, body);
  expect([status, (refusal["errors"] as { path: string }[]).map((error) => error.path)]).toEqual([400, places]);
});

describe("Open refuses an invalid body with the path of the error:", () => {
  test.each<[unknown, string, string]>([
    [{ KeepOpen: true }, "/KeepOpen", "must be a number, not true"],
    [{ keepOpen: "30" }, "/keepOpen", 'must be a number, not "30"'],
    [{ KeepOpen: -1 }, "/KeepOpen", "must be 0 or more, not -1"],
    [{ Browser: 1 }, "/Browser", "must be one of [0,2,3], not 1"],
    [{ Browser: "2" }, "/Browser", 'must be an integer, not "2"'],
    [{ Headless: 1 }, "/Headless", "must be a boolean, not 1"],
    [{ Label: "x".repeat(257) }, "/Label", "must have at most 256 characters"],
    [{ Args: "--lang=de" }, "/Args", "must be an array"],
    [{ Args: ["--lang=de", 1] }, "/Args/1", "must be a string"],
    [{ proxy: { host: "a.example" } }, "/proxy/Port", "is required"],
    [{ Proxy: { Host: "a.example", Port: 80 } }, "/Proxy/Port", 'must be a string: send "80", not 80'],
    [{ Proxy: { Host: "a.example", Port: "0" } }, "/Proxy/Port", "from 1 to 65535"],
    [{ Proxy: { Host: null, Port: "80" } }, "/Proxy/Host", "must be a string"],
    [{ proxy: { host: "a b", port: "80" } }, "/proxy/host", "is not a host name"],
    [{ Headless: true, headless: false }, "/headless", "values differ"],
    [{ Proxy: { Host: "a", host: "b", Port: "1" } }, "/Proxy/host", "values differ"],
    [[], "", "must be an object, not an array"],
    ["x", "", "must be an object"],
  ])("%j", async (body, path, message) => {
    const refusal = await refusalOf(body);
    expect(refusal).toMatchObject({ status: 400, name: "BadRequest" });
    const { errors } = refusal as { errors: { path: string; message: string }[] };
    expect(errors[0]?.path).toBe(path);
    expect(errors[0]?.message).toContain(message);
  });

  test("the response doesn't repeat a password", async () => {
    const refusal = await refusalOf({
      Proxy: { Host: "a", Port: "1", Password: ["hunter2"], Username: "x".repeat(2000) },
    });
    expect(JSON.stringify(refusal)).not.toMatch(/hunter2|xxx/);
  });

  test.each(['{"KeepOpen":', "{'a':1}", "undefined", '{"Proxy":{"Password":"hunter2"', "\u0000"])(
    "malformed JSON %j",
    async (text) => {
      const { status, body } = await fake.send("POST", OPEN, text, { "Content-Type": "application/json" });
      expect([status, body["errors"]]).toEqual([400, [{ path: "", message: expect.stringContaining("is not JSON") }]]);
      expect(JSON.stringify(body)).not.toContain("hunter2");
    },
  );

  test("the deepest nesting that fits into a body is handled", async () => {
    const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    const send = (text: string) => fake.send("POST", OPEN, text, { "Content-Type": "application/json" });
    expect((await send(`{"Args":${deep(30_000)}}`)).status).toBe(400);
    expect((await send(`{"Args":${deep(15_000)},"args":${deep(15_000)}}`)).status).toBe(400);
    expect((await send(`{"unknown":${deep(30_000)}}`)).status).toBe(200);
  });

  test("a member called __proto__ has no effect", async () => {
    const text = '{"__proto__":{"Headless":5},"Proxy":{"__proto__":{"Host":"a"},"Port":"1"}}';
    const { body } = await fake.send("POST", OPEN, text, { "Content-Type": "application/json" });
    expect(body["errors"]).toEqual([{ path: "/Proxy/Host", message: "is required" }]);
  });
});

describe("the order of checks", () => {
  const bad = "x".repeat(70_000);
  const wrong = { Authorization: "Bearer wrong", "Content-Type": "text/plain" };

  test("is path, method, token, size, media type, content", async () => {
    expect((await fake.send("POST", "/api/v1/Browser/Opne", bad, wrong)).body["name"]).toBe("NotFound");
    const method = await fake.send("PUT", OPEN, bad, wrong);
    expect([method.body["name"], method.headers.get("allow")]).toEqual(["MethodNotAllowed", "POST"]);
    const token = await fake.send("POST", OPEN, bad, wrong);
    expect([token.body["name"], token.headers.get("www-authenticate")]).toEqual(["AuthorizationError", "Bearer"]);
    expect((await fake.send("POST", OPEN, bad, { "Content-Type": "text/plain" })).body["name"]).toBe("PayloadTooLarge");
    expect((await fake.send("POST", OPEN, "x", { "Content-Type": "text/plain" })).body["name"]).toBe(
      "UnsupportedMediaType",
    );
    expect((await fake.send("POST", OPEN, "x", { "Content-Type": "application/json" })).body["name"]).toBe(
      "BadRequest",
    );
  });

  test.each(["", "Bearer", "Bearer ", "Basic abc", "Bearer a b", "bearer wrong"])(
    "the Authorization header %j is refused",
    async (header) => {
      expect((await fake.send("GET", GET, undefined, { Authorization: header })).status).toBe(401);
    },
  );

  test("65,536 bytes are accepted and 65,537 are refused, whether or not the length is declared", async () => {
    const padded = (length: number): string => `{"x":"${"y".repeat(length - 8)}"}`;
    const headers = { "Content-Type": "application/json" };
    expect((await fake.send("POST", OPEN, padded(65_536), headers)).status).toBe(200);
    expect((await fake.send("POST", OPEN, padded(65_537), headers)).status).toBe(413);
    const stream = new Blob([padded(65_537)]).stream();
    const init = {
      method: "POST",
      body: stream,
      duplex: "half",
      headers: { ...headers, Authorization: `Bearer ${fake.token}` },
    };
    expect((await fetch(new URL(OPEN, fake.service.url), init as RequestInit)).status).toBe(413);
  });
});

test.each([true, false])(
  "a client that is still sending a body receives 413, and can reuse its connection (length declared: %s)",
  async (isDeclared) => {
    const { hostname, port } = fake.service.url;
    const client = connect(Number(port), hostname);
    let received = "";
    client.setEncoding("utf8").on("data", (text: string) => (received += text));
    const piece = " ".repeat(128 * 1024);
    const begin = (framing: string): boolean =>
      client.write(
        `POST ${OPEN} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${fake.token}\r\n${framing}\r\n\r\n`,
      );
    const send = (): boolean => client.write(isDeclared ? piece : `${piece.length.toString(16)}\r\n${piece}\r\n`);
    begin(isDeclared ? `Content-Length: ${11 * piece.length}` : "Transfer-Encoding: chunked");
    send();
    await until(
      () => received,
      (text) => text.startsWith("HTTP/1.1 413 "),
    );
    // A slow client needs a second to send the rest of the body.
    for (let sent = 0; sent < 10; sent++) {
      await wait(100);
      send();
    }
    if (!isDeclared) client.write("0\r\n\r\n");
    begin("Content-Length: 2");
    client.write("{}");
    const all = await until(
      () => received,
      (text) => text.includes("HTTP/1.1 200 "),
    );
    expect(all.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
    client.destroy();
  },
);

describe("Close, Start and Stop", () => {
  test.each([CLOSE, START, STOP])("%s returns the same 404 for every address without an open browser", async (path) => {
    for (const address of ["ws://127.0.0.1/devtools/browser/5bZevVJTz5cCMoBYffCCNsEv5qQrU6U-", "x", "☃"]) {
      expect(await refusalOf({ address }, path)).toMatchObject({ status: 404, name: "BrowserNotFound" });
    }
  });

  test.each([CLOSE, START, STOP])("%s requires an address", async (path) => {
    expect(await refusalOf({}, path)).toMatchObject({ errors: [{ path: "/address", message: "is required, or id" }] });
    expect(await refusalOf(undefined, path)).toMatchObject({ errors: [{ path: "", message: "is missing" }] });
    expect(await refusalOf(null, path)).toMatchObject({
      errors: [{ path: "", message: "must be an object, not null" }],
    });
    expect(await refusalOf({ Address: "x" }, path)).toMatchObject({ status: 400 });
  });

  test("a browser opened under one host name can be listed and closed under another", async () => {
    const { port } = fake.service.url;
    const opened = await fetch(`http://localhost:${port}${OPEN}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${fake.token}` },
    });
    const { address } = (await opened.json()) as { address: string };
    expect(address).toMatch(`ws://localhost:${port}/devtools/browser/`);
    const { sessions } = (await fake.send("GET", GET)).body as { sessions: { address: string }[] };
    expect(sessions.map((session) => session.address)).toContain(address);
    expect((await fake.post(CLOSE, { address: address.replace("localhost", "127.0.0.1") })).body).toEqual({
      status: 200,
    });
    expect((await fake.post(CLOSE, { address })).status).toBe(404);
  });
});

describe("other requests", () => {
  test("the response to a plain HTTP request to a browser's address explains how to connect", async () => {
    const answer = await fetch(new URL("/devtools/browser/5bZevVJTz5cCMoBYffCCNsEv5qQrU6U-", fake.service.url));
    expect([answer.status, answer.headers.get("upgrade")]).toEqual([426, "websocket"]);
    expect(await answer.json()).toMatchObject({ status: 426, name: "UpgradeRequired", requestId: expect.any(String) });
  });

  test("a Host header that is invalid in a URL is refused with 400", async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: "1.2.3.4.5", Authorization: `Bearer ${fake.token}` };
      const sent = request(new URL(OPEN, fake.service.url), { method: "POST", headers }, ({ statusCode }) =>
        resolve(statusCode),
      );
      sent.on("error", reject).end();
    });
    expect(status).toBe(400);
  });

  const MANY = Array.from({ length: 2000 }, () => "a:b");

  test.each([
    [GET, "several Host headers", ["Host: localhost", "host: localhost"], /send one/],
    ["/sign-in", "several Host headers", ["Host: localhost", "host: localhost"], /send one/],
    [
      "/healthz",
      "two Host headers with many other headers between them",
      ["Host: localhost", ...MANY, "Host: localhost"],
      /send one/,
    ],
    [GET, "no Host header", [], /./],
  ])("%s with %s is refused with 400", async (path, _, hosts, message) => {
    const { hostname, port } = fake.service.url;
    const client = connect(Number(port), hostname);
    const head = [...hosts, `Authorization: Bearer ${fake.token}`, "Connection: close"];
    client.write(`GET ${path} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
    const answer = String(Buffer.concat(await client.toArray()));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(message);
  });

  test("every path also works below the public URL's prefix, whether or not a proxy removes it", async () => {
    await using prefixed = await startFakeService({ RBS_PUBLIC_URL: "https://browsers.example/eu" });
    const authorized = { headers: { Authorization: `Bearer ${prefixed.token}` } };
    for (const path of [GET, `/eu${GET}`, "/eu/healthz"]) {
      expect((await fetch(new URL(path, prefixed.service.url), authorized)).status).toBe(200);
    }
    expect((await fetch(new URL(`/us${GET}`, prefixed.service.url), authorized)).status).toBe(404);
  });
});

test("readiness is not cached", async () => {
  const ready = await fetch(new URL("/readyz", fake.service.url));
  expect([ready.status, ready.headers.get("cache-control")]).toEqual([200, "no-store"]);
});

describe("Query", () => {
  test("validates the request before it reports a missing provider", async () => {
    expect(await refusalOf({ html: "", prompt: "p" }, QUERY)).toMatchObject({
      errors: [{ path: "/html", message: "must not be empty" }],
    });
    expect(await refusalOf({ html: "h", prompt: "p", responseFormat: "xml" }, QUERY)).toMatchObject({
      errors: [{ path: "/responseFormat" }],
    });
    for (const responseFormat of ["text", "json", '{"type":"number"}', undefined]) {
      expect(await refusalOf({ html: "h", prompt: "p", responseFormat }, QUERY)).toMatchObject({
        status: 503,
        name: "ProviderUnavailable",
      });
    }
  });
});
