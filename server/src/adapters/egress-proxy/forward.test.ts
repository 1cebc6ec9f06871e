import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import {
  ask,
  expectNothingHeldAfterEach,
  openEgress,
  openSite,
  openTcp,
} from "../../../test/support/proxies/egress-rig.ts";

let stack: AsyncDisposableStack;

expectNothingHeldAfterEach((made) => (stack = made));

test("chunked and compressed bodies arrive byte for byte, in both directions", async () => {
  const { endpoint } = await openEgress(stack);
  const sent = randomBytes(300_000);
  const compressed = gzipSync(sent);
  const site = stack.use(
    await openSite((request, response) => {
      void request.toArray().then((got: Buffer[]) => {
        response.setHeader("content-encoding", "gzip");
        response.setHeader("x-same", String(Buffer.concat(got).equals(sent)));
        response.write(compressed.subarray(0, 1000));
        response.end(compressed.subarray(1000));
      });
    }),
  );
  const { headers, body } = await ask(endpoint, `http://127.0.0.1:${site.port}/`, { method: "POST", body: sent });
  expect(headers).toMatchObject({ "x-same": "true", "content-encoding": "gzip", "transfer-encoding": "chunked" });
  expect(body.equals(compressed)).toBe(true);
});

test("requests keep the framing of their bodies, whatever their method and headers", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(
    await openSite(async (request, response) => {
      const body = Buffer.concat((await request.toArray()) as Buffer[]).toString();
      response.end(`${request.method} ${body}`);
    }),
  );
  const url = `http://127.0.0.1:${site.port}/`;
  const framings = [{ "transfer-encoding": "chunked" }, { connection: "content-length", "content-length": "4" }];
  for (const headers of framings) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const { body } = await ask(endpoint, url, { method, headers, body: "body" });
      expect(body.toString()).toBe(`${method} body`);
    }
  }
});

test("a path arrives unchanged, and a body ends where the site's headers indicate", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(
    await openSite((request, response) => {
      response.setHeader("content-length", request.url?.length ?? 0);
      response.end(request.url);
    }),
  );
  const origin = `http://127.0.0.1:${site.port}`;
  for (const path of ["/a/../b//c", "/%7e|{}'?q=%zz#", "?q=http://x/y"]) {
    const { body } = await ask(endpoint, origin + path, { headers: { host: "x" } });
    expect(body.toString()).toBe(path.startsWith("/") ? path : `/${path}`);
  }
  const { headers, body, status } = await ask(endpoint, `${origin}/`, { method: "HEAD" });
  expect([status, headers["content-length"], body.length]).toEqual([200, "1", 0]);
});

const INTERIM = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";

test.each([
  ["HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n", 599],
  ["HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n", 597],
  ["HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n", 592],
  ["nonsense", 599],
  ["", 595],
])("an invalid response, %j, is replaced with an error page and leaves no request pending", async (text, status) => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(await openTcp((socket) => socket.once("data", () => socket.end(text))));
  const { body, headers, ...answer } = await ask(endpoint, `http://127.0.0.1:${site.port}/`);
  expect(answer.status).toBe(status);
  expect(headers["proxy-authenticate"]).toBeUndefined();
  expect(body.toString()).toContain("<h1>");
});

test("a site may send some interim responses, but not an endless number", async () => {
  const { endpoint } = await openEgress(stack);
  let count = 10;
  const site = stack.use(
    await openTcp((socket) => {
      socket.once("data", () => {
        socket.write(INTERIM.repeat(count));
        if (count === 10) socket.end("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody");
      });
    }),
  );
  expect((await ask(endpoint, `http://127.0.0.1:${site.port}/`)).body.toString()).toBe("body");
  count = 1000;
  expect((await ask(endpoint, `http://127.0.0.1:${site.port}/`)).status).toBe(599);
});

test("a site's unusual headers and reason phrases are passed on if they can be written", async () => {
  const { endpoint } = await openEgress(stack);
  const text = "HTTP/1.1 200 \x01\r\nX-Odd: a\x02b\r\nX-Even: 1\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n\r\nbody";
  const site = stack.use(await openTcp((socket) => socket.once("data", () => socket.end(text, "latin1"))));
  const { body, headers } = await ask(endpoint, `http://127.0.0.1:${site.port}/`);
  expect(body.toString()).toBe("body");
  expect(headers).toMatchObject({ "x-even": "1", "set-cookie": ["a", "b"] });
  expect(headers).not.toHaveProperty("x-odd");
});

test("headers of the browser's connection to its proxy aren't sent to sites", async () => {
  const { endpoint } = await openEgress(stack);
  const site = stack.use(await openSite((request, response) => response.end(request.rawHeaders.join("\n"))));
  const { body } = await ask(endpoint, `http://127.0.0.1:${site.port}/`, {
    headers: {
      "proxy-connection": "keep-alive",
      "proxy-authorization": "Basic dTpw",
      connection: "keep-alive, X-Hop",
      "x-hop": "1",
      "x-kept": "2",
    },
  });
  expect(body.toString().toLowerCase()).not.toMatch(/proxy|x-hop/);
  expect(body.toString()).toContain("x-kept");
});

test("when a pooled connection has closed, repeatable requests are sent again, and others use a fresh connection", async () => {
  const { endpoint } = await openEgress(stack);
  const seen: string[][] = [];
  const site = stack.use(
    await openTcp((socket) => {
      const requests: string[] = [];
      seen.push(requests);
      socket.on("data", (data) => {
        requests.push(String(data).split(" ")[0] ?? "");
        if (requests.length > 1) socket.destroy();
        else socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage");
      });
    }),
  );
  const url = `http://127.0.0.1:${site.port}/`;
  for (const method of ["GET", "GET", "POST"]) {
    const body = method === "POST" ? "x" : "";
    const headers = { "content-length": String(body.length) };
    expect((await ask(endpoint, url, { method, body, headers })).body.toString()).toBe("page");
  }
  expect(seen).toEqual([["GET", "GET"], ["GET"], ["POST"]]);
});

test("plain requests to one site share connections", async () => {
  const { endpoint } = await openEgress(stack);
  let connections = 0;
  const site = stack.use(await openSite((_request, response) => response.end("ok")));
  site.server.on("connection", () => (connections += 1));
  for (let round = 0; round < 5; round += 1) await ask(endpoint, `http://127.0.0.1:${site.port}/`);
  expect(connections).toBe(1);
});

test("when a browser disconnects before the response, its request is aborted, even on a pooled connection", async () => {
  const { endpoint } = await openEgress(stack);
  const closed: string[] = [];
  const asked: string[] = [];
  const site = stack.use(
    await openSite((request, response) => {
      asked.push(request.url ?? "");
      request.socket.once("close", () => closed.push(request.url ?? ""));
      if (request.url === "/first") response.end();
    }),
  );
  await ask(endpoint, `http://127.0.0.1:${site.port}/first`);
  const leaving = new AbortController();
  const waiting = ask(endpoint, `http://127.0.0.1:${site.port}/never`, { signal: leaving.signal });
  await vi.waitFor(() => expect(asked).toEqual(["/first", "/never"]));
  leaving.abort();
  await expect(waiting).rejects.toThrow();
  await vi.waitFor(() => expect(closed).toEqual(["/first", "/never"]));
  // The lost connection was reused, but the request isn't repeated, because the browser has disconnected.
  await ask(endpoint, `http://127.0.0.1:${site.port}/first`);
  expect(asked).toEqual(["/first", "/never", "/first"]);
});

test("a request isn't repeated after a partial response", async () => {
  const { endpoint } = await openEgress(stack);
  const asked: string[] = [];
  const site = stack.use(
    await openTcp((socket) => {
      socket.on("data", (data) => {
        asked.push(String(data).split(" ")[1] ?? "");
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npa", () => {
          if (asked.length === 1) socket.write("ge");
          else setTimeout(() => socket.resetAndDestroy(), 20);
        });
      });
    }),
  );
  expect((await ask(endpoint, `http://127.0.0.1:${site.port}/whole`)).body.toString()).toBe("page");
  await expect(ask(endpoint, `http://127.0.0.1:${site.port}/broken`)).rejects.toThrow();
  await ask(endpoint, `http://127.0.0.1:${site.port}/other`).catch(() => undefined);
  expect(asked).toEqual(["/whole", "/broken", "/other"]);
});
