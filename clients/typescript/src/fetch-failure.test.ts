import { createServer } from "node:net";
import { expect, test } from "vitest";
import { isFetchTimeout, isForbiddenPort, isNotSent, isTlsFailure, wordsOf } from "./fetch-failure.ts";

/** Returns the error that Node's own `fetch` throws. */
async function failureOf(url: string): Promise<unknown> {
  return fetch(url).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/**
 * Listens on a local port. Whenever a client sends data, the server sends `words` and closes the connection. `end`
 * stops the server.
 */
async function openCutter(words = "") {
  const server = createServer((socket) => {
    socket.on("data", () => socket.end(words));
  });
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

test("nothing is sent if all of the host's addresses refuse the connection", async () => {
  const { port, end } = await openCutter();
  await end();
  for (const host of ["127.0.0.1", "localhost"]) {
    const failure = await failureOf(`http://${host}:${port}/`);
    expect(isNotSent(failure)).toBe(true);
    expect(wordsOf(failure)).toContain("ECONNREFUSED");
  }
});

test("nothing is sent if the host is not found", async () => {
  expect(isNotSent(await failureOf("http://nowhere.invalid/"))).toBe(true);
});

test("a port that `fetch` blocks is not reported as a failed connection", async () => {
  const failure = await failureOf("http://127.0.0.1:6000/");
  expect(isForbiddenPort(failure)).toBe(true);
  expect(isNotSent(failure)).toBe(false);
});

test("if the connection is lost, the request may have been sent", async () => {
  const { port, end } = await openCutter();
  const failure = await failureOf(`http://127.0.0.1:${port}/`);
  await end();
  expect(failure).toBeInstanceOf(TypeError);
  expect(isNotSent(failure)).toBe(false);
  expect(isTlsFailure(failure)).toBe(false);
  expect(isForbiddenPort(failure)).toBe(false);
});

test.each([
  ["speaks another protocol", "HTTP/1.1 400 Bad Request\r\n\r\n"],
  ["closes the connection", ""],
])("the TLS handshake fails with a server that %s", async (_what, words) => {
  const { port, end } = await openCutter(words);
  const failure = await failureOf(`https://127.0.0.1:${port}/`);
  await end();
  expect(isTlsFailure(failure)).toBe(true);
  expect(isNotSent(failure)).toBe(false);
});

test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", true],
  ["ERR_TLS_CERT_ALTNAME_INVALID", true],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", true],
  ["CERT_HAS_EXPIRED", true],
  ["EPROTO", true],
  ["ECONNRESET", false],
  ["UND_ERR_SOCKET", false],
])("%s is a TLS failure: %s", (code, isSo) => {
  expect(isTlsFailure(new TypeError("fetch failed", { cause: { code } }))).toBe(isSo);
});

test.each([
  ["ECONNREFUSED", { code: "ECONNREFUSED", syscall: "connect" }, true],
  ["a slow network", { code: "ETIMEDOUT", syscall: "connect" }, true],
  ["fetch's own connect timeout", { code: "UND_ERR_CONNECT_TIMEOUT" }, true],
  ["a name server that fails temporarily", { code: "EAI_AGAIN", syscall: "getaddrinfo" }, true],
  [
    "several addresses, one of which accepted the connection",
    { errors: [{ syscall: "connect" }, { syscall: "read" }] },
    false,
  ],
  ["a reset", { code: "ECONNRESET", syscall: "read" }, false],
  ["an error without a cause, as in web browsers", undefined, false],
])("%s", (_what, cause, isSo) => {
  expect(isNotSent(new TypeError("fetch failed", { cause }))).toBe(isSo);
});

test("a multi-line message becomes one line", () => {
  const cause = new Error("80:error:0A00010B:SSL routines:\n  wrong version number\n");
  expect(wordsOf(new TypeError("fetch failed", { cause }))).toBe(
    "80:error:0A00010B:SSL routines: wrong version number",
  );
});

test("fetch's own timeouts are recognized by their codes", () => {
  expect(isFetchTimeout(new TypeError("fetch failed", { cause: { code: "UND_ERR_HEADERS_TIMEOUT" } }))).toBe(true);
  expect(isFetchTimeout(new TypeError("fetch failed", { cause: { code: "ECONNRESET" } }))).toBe(false);
});
