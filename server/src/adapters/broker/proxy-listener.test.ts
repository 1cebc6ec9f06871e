import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenForProxy } from "./proxy-listener.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "listener-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each(["port", "Unix socket"])(
  "a %s hands over its connections, which stay open after the listener is disposed",
  async (kind) => {
    const path = join(folder, "egress.sock");
    const place = kind === "port" ? { host: "127.0.0.1", port: 0 } : { path, readableAll: true, writableAll: true };
    const accepted = Promise.withResolvers<Socket>();
    const listener = await listenForProxy(place, accepted.resolve);
    expect(listener.port === undefined).toBe(kind === "Unix socket");
    const client = connect(listener.port === undefined ? { path } : { host: "127.0.0.1", port: listener.port });
    const socket = await accepted.promise;
    for (const _ of [1, 2]) listener[Symbol.dispose]();
    expect(existsSync(path)).toBe(false);
    socket.end("still open");
    expect(String((await once(client, "data"))[0])).toBe("still open");
    client.destroy();
  },
);

test("listening on an unusable socket path fails", async () => {
  const paths = [join(folder, "missing", "egress.sock"), join(folder, "x".repeat(200))];
  for (const path of paths) await expect(listenForProxy({ path }, () => {})).rejects.toThrow();
});
