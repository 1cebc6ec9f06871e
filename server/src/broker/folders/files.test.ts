import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SandboxRig, openSandboxRig } from "../../../test/support/browsers/browser-rig.ts";
import { ISOLATIONS, NEVER } from "../../../test/support/browsers/real-host.ts";
import { holdSocket } from "./files.ts";

describe.each(ISOLATIONS)("with isolation %s, a file", (isolation) => {
  let rig: SandboxRig;

  beforeEach(async () => {
    rig = await openSandboxRig(isolation);
  });

  afterEach(() => rig[Symbol.asyncDispose]());

  test("belongs only to the sandbox's user, as do its parent folders", async () => {
    await Promise.all([rig.sandbox.writeFile("some/folder/one", "1"), rig.sandbox.writeFile("some/folder/two", "2")]);
    const rights = ["some", "some/folder", "some/folder/one"].map((name) => {
      const { mode, uid, gid } = statSync(join(rig.folder, name));
      return [(mode & 0o777).toString(8), uid, gid];
    });
    const { uid, gid } = statSync(rig.folder);
    expect(rights).toEqual([
      ["700", uid, gid],
      ["700", uid, gid],
      ["600", uid, gid],
    ]);
    expect(await rig.run("cd; cat some/folder/*; echo 3 >>some/folder/one; cat some/folder/one")).toBe("1213\n");
  });

  test("is created without overwriting files or following links", async () => {
    const outside = join(rig.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "victim"), "precious");
    symlinkSync(join(outside, "victim"), join(rig.folder, "file"));
    symlinkSync(join(outside, "new"), join(rig.folder, "dangling"));
    symlinkSync(outside, join(rig.folder, "folder"));
    await rig.sandbox.writeFile("mine", "first");
    for (const name of ["file", "dangling", "folder/new", "folder/victim", "mine"]) {
      await expect(rig.sandbox.writeFile(name, "x")).rejects.toThrow("EEXIST");
      await expect(rig.sandbox.holdFile(name)).rejects.toThrow("EEXIST");
    }
    expect(readdirSync(outside)).toEqual(["victim"]);
    expect(readFileSync(join(outside, "victim"), "utf8")).toBe("precious");
    expect(lstatSync(join(outside, "victim")).uid).toBe(process.getuid?.());
    expect(readFileSync(join(rig.folder, "mine"), "utf8")).toBe("first");
  });

  test("can be rewritten while it is open, even if a link replaces it", async () => {
    const path = join(rig.folder, "held");
    await using file = await rig.sandbox.holdFile("held");
    expect([statSync(path).mode & 0o777, readFileSync(path, "utf8")]).toEqual([0o600, ""]);
    for (const content of ["a longer content", "short", ""]) {
      await file.write(Buffer.from(content));
      expect(readFileSync(path, "utf8")).toBe(content);
    }
    const victim = join(rig.root, "victim");
    writeFileSync(victim, "precious");
    renameSync(path, join(rig.folder, "moved"));
    symlinkSync(victim, path);
    await file.write(Buffer.from("new"));
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readFileSync(join(rig.folder, "moved"), "utf8")).toBe("new");
  });
});

describe("a held socket", () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rbs-held-"));
    path = join(folder, "a.sock");
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Starts a server on the Unix socket `path` that sends `name` to each client. */
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

  test("stays the same when another socket is created at its path", async () => {
    await using _server = await listen("the right one");
    await using held = await holdSocket(path);
    renameSync(path, join(folder, "moved"));
    await using _other = await listen("another one");
    const socket = await held.connect(NEVER);
    const [name] = (await once(socket.setEncoding("utf8"), "data")) as [string];
    expect(name).toBe("the right one");
    socket.destroy();
  });

  test("can't be opened if the path is a file, a link or missing", async () => {
    writeFileSync(path, "");
    await expect(holdSocket(path)).rejects.toThrow("no socket");
    rmSync(path);
    await using _server = await listen("victim");
    symlinkSync(path, join(folder, "link"));
    await expect(holdSocket(join(folder, "link"))).rejects.toThrow("no socket");
    await expect(holdSocket(join(folder, "none"))).rejects.toThrow("ENOENT");
  });

  test("accepts many concurrent connections, even if the listener's queue is short", async () => {
    await using _server = await listen("in", 1);
    await using held = await holdSocket(path);
    const sockets = await Promise.all(Array.from({ length: 40 }, () => held.connect(NEVER)));
    expect(sockets).toHaveLength(40);
    for (const socket of sockets) socket.destroy();
  });

  test("refuses connections after it is released, even those waiting for room in the listener's queue", async () => {
    await using _server = await listen("in", 1);
    const held = await holdSocket(path);
    const connecting = Promise.allSettled(Array.from({ length: 40 }, () => held.connect(NEVER)));
    await held[Symbol.asyncDispose]();
    const results = await connecting;
    for (const result of results) if (result.status === "fulfilled") result.value.destroy();
    const reasons = new Set(results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : [])));
    expect(reasons).toEqual(new Set(["Error: The sandbox's socket has been released."]));
    await expect(held.connect(NEVER)).rejects.toThrow("released");
  });

  test("refuses connections that are aborted, or whose listener has closed", async () => {
    const server = await listen("gone soon");
    await using held = await holdSocket(path);
    const reason = new Error("aborted");
    await expect(held.connect(AbortSignal.abort(reason))).rejects.toBe(reason);
    await server[Symbol.asyncDispose]();
    await expect(held.connect(NEVER)).rejects.toThrow("ECONNREFUSED");
  });
});
