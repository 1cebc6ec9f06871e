import { createServer } from "node:http";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { connected, loadLibrary } from "./library.ts";
import { connectPlaywright } from "./playwright.ts";
import { connectPuppeteer } from "./puppeteer.ts";
import { ConnectionError } from "./remote-browser-error.ts";

test("the error for a missing library names the package to install", async () => {
  const name = "no-such-library";
  await expect(loadLibrary(name, async () => import(name))).rejects.toThrow(
    "no-such-library is not installed: run `npm install no-such-library`.",
  );
});

test("an installed library with a missing dependency fails with its own error", async () => {
  const missing = "no-such-part";
  await expect(loadLibrary("a-library", async () => import(missing))).rejects.toThrow(/'no-such-part'/);
});

const ADDRESS = "ws://127.0.0.1:9/devtools/browser/secret";

test.each([
  ["its message without the address", new Error(`503 at ${ADDRESS}`), "503 at the browser's address"],
  [
    "its message without ids",
    new Error("503 at ws://localhost:9/devtools/browser/secret"),
    "503 at ws://localhost:9/devtools/browser/…",
  ],
  ["its first line, without colors", new Error("\n\u001B[2mslow\u001B[22m\nCall log:\n - x"), "slow"],
  ["an event's error message", { message: "", error: new Error("reset") }, "reset"],
  ["all errors in an event", { message: "", error: { errors: [new Error("a"), new Error("b")] } }, "a; b"],
  ["an unknown host", new Error("getaddrinfo ENOTFOUND h"), "the host 127.0.0.1:9 was not found (ENOTFOUND)."],
  ["that the library reported no reason", { isTrusted: true }, "the library reported no reason."],
])("a failure to connect shows %s", async (_what, thrown, words) => {
  const error: unknown = await connected(Promise.reject(thrown as Error), ADDRESS).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: `Could not connect to the browser: ${words}` });
});

test("the cause is the event's error, without the address", async () => {
  const inner = Object.assign(new Error(`reset at ${ADDRESS}`), { code: "ECONNRESET" });
  const event: unknown = { message: inner.message, error: inner };
  const failing = connected(Promise.reject(event as Error), ADDRESS);
  const error: unknown = await failing.catch((failure: unknown) => failure);
  expect(error).toMatchObject({ cause: { code: "ECONNRESET", message: "reset at …" } });
  expect(inspect(error, { depth: 9 })).not.toContain("secret");
});

/** Listens on a local port without a browser. */
async function listen() {
  const server = createServer();
  server.on("upgrade", (_request, socket) => socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  const end = async (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
    });
  return { port, end };
}

test.each([
  ["Puppeteer", connectPuppeteer],
  ["Playwright", connectPlaywright],
])("%s says why it could not connect, without the browser's address", async (_library, connect) => {
  const { port, end } = await listen();
  const failureAt = async (host: string): Promise<unknown> =>
    connect({ address: `ws://${host}/devtools/browser/${"A".repeat(32)}` }).catch((thrown: unknown) => thrown);
  const closed = await failureAt(`127.0.0.1:${port}`);
  await end();
  const refused = await failureAt(`127.0.0.1:${port}`);
  const messages = [
    "the browser has closed or never existed (404).",
    `127.0.0.1:${port} refused the connection (ECONNREFUSED).`,
  ];
  for (const [index, error] of [closed, refused].entries()) {
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: `Could not connect to the browser: ${messages[index]}` });
    expect(inspect(error, { depth: 9 })).not.toContain("AAAA");
  }
});
