import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NEVER } from "../../../test/support/real-host.ts";
import { holdSocket } from "./held-socket.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rbs-held-"));
  path = join(folder, "a.sock");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A server at the path that says its name to whoever connects. */
async function listen(name: string, backlog?: number): Promise<AsyncDisposable> {
  const server = createServer((socket) => socket.on("error", () => {}).end(name));
  server.listen({ path, ...(backlog !== undefined && { backlog }) });
  await once(server, "listening");
  return {
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

test("a socket that is held stays the same one, whatever its name leads to meanwhile", async () => {
  await using _server = await listen("the right one");
  await using held = await holdSocket(path);
  renameSync(path, join(folder, "moved"));
  await using _other = await listen("another one");
  const socket = await held.connect(NEVER);
  const [said] = (await once(socket.setEncoding("utf8"), "data")) as [string];
  expect(said).toBe("the right one");
  socket.destroy();
});

test("what is no socket, or a link to one, is not taken hold of", async () => {
  writeFileSync(path, "");
  await expect(holdSocket(path)).rejects.toThrow("no socket");
  rmSync(path);
  await using _server = await listen("victim");
  symlinkSync(path, join(folder, "link"));
  await expect(holdSocket(join(folder, "link"))).rejects.toThrow("no socket");
  await expect(holdSocket(join(folder, "none"))).rejects.toThrow("ENOENT");
});

test("many connections at once to a listener with a short queue all come in", async () => {
  await using _server = await listen("in", 1);
  await using held = await holdSocket(path);
  const sockets = await Promise.all(Array.from({ length: 40 }, () => held.connect(NEVER)));
  expect(sockets).toHaveLength(40);
  for (const socket of sockets) socket.destroy();
});

test("a connection that nobody wants any more, and one to a listener that is gone, fail", async () => {
  const server = await listen("gone soon");
  await using held = await holdSocket(path);
  const reason = new Error("nobody wants it");
  await expect(held.connect(AbortSignal.abort(reason))).rejects.toBe(reason);
  await server[Symbol.asyncDispose]();
  await expect(held.connect(NEVER)).rejects.toThrow("ECONNREFUSED");
});
