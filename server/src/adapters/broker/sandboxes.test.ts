import { once } from "node:events";
import { readdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type CellRig, expectNothingAt, openCellRig } from "../../../test/support/browser-rig.ts";
import { NEVER, openWorkFolder } from "../../../test/support/real-host.ts";
import type { SandboxProcess } from "../../ports/sandboxes.ts";

/** In the browser's place: gives back what it is sent, or says what it was told to. */
const listenAndRun = (command: string): string =>
  `exec socat -d -d TCP4-LISTEN:9222,bind=127.0.0.1,fork,backlog=256 EXEC:'${command}'`;

/** Both ways are open, and the program behind them listens. */
const UP = /(?: N listening on [^]*){3}/;

let rig: CellRig;

beforeEach(async () => {
  rig = await openCellRig("jail");
});

afterEach(async () => {
  await rig.cell[Symbol.asyncDispose]();
  await expectNothingAt(rig.root);
  await rig[Symbol.asyncDispose]();
});

describe("of the host, a program in a jail", () => {
  test("reads no file but the system's programs, fonts and certificates", async () => {
    const canary = join(workFolder(), "canary");
    writeFileSync(canary, "canary", { mode: 0o644 });
    const hidden = ["/etc/passwd", "/etc/hostname", "/etc/shadow", "/root", "/run", "/sys", "/var/log", "/var/tmp"];
    const own = [import.meta.filename, process.cwd(), rig.root, canary, rig.cell.folder];
    const seen = await rig.run([...hidden, ...own].map((path) => `test -e '${path}' && echo '${path}'`).join("\n"));
    expect(seen).toBe("");
    expect(await rig.run("ls /home /home/browser /tmp /mnt /opt /srv 2>/dev/null")).toBe(
      "/home:\nbrowser\n\n/home/browser:\negress.sock\n\n/tmp:\n",
    );
  });

  test("can write nowhere but to its own folders", async () => {
    const places = [
      "/usr",
      "/etc/fonts",
      "/var/cache/fontconfig",
      "/proc/sys/kernel",
      "/home/browser",
      "/tmp",
      "/dev/shm",
    ];
    const written = await rig.run(places.map((path) => `(touch ${path}/x && echo ${path}) 2>/dev/null`).join("\n"));
    expect(written).toBe("/home/browser\n/tmp\n/dev/shm\n");
    // Not for want of rights alone: a server that is not root may own what it shows.
    expect(
      await rig.run("grep -E '^[^ ]+ /(usr|etc/fonts|var/cache/fontconfig) ' /proc/mounts | grep -vc ' ro,'"),
    ).toBe("0\n");
  });

  test("sees no process but the jail's", async () => {
    const seen = await rig.run("ls /proc | grep -E '^[0-9]+$'; cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
    expect(seen.split("\n").filter((line) => /^\d+$/.test(line)).length).toBeLessThan(8);
    expect(seen).not.toContain("node");
  });

  test("does not learn its name, and has its own shared memory and message queues", async () => {
    expect(await rig.run("uname -n")).toBe("browser\n");
    expect(hostname()).not.toBe("browser");
    const inside = (await rig.run("readlink /proc/self/ns/ipc /proc/self/ns/net /proc/self/ns/pid /proc/self/ns/uts"))
      .trim()
      .split("\n");
    const outside = ["ipc", "net", "pid", "uts"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    expect(inside.length).toBe(4);
    expect(inside.filter((namespace) => outside.includes(namespace))).toEqual([]);
  });

  test("has no rights, and can't come by any", async () => {
    const status = await rig.run("grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status");
    expect(status).toBe(
      "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n",
    );
  });

  test("reaches no network: not the host's loopback, not its other addresses, not the cloud's metadata", async () => {
    const visits: string[] = [];
    const site = createServer((request, response) => {
      visits.push(String(request.url));
      response.end("reached");
    });
    const port = await listen(site, "0.0.0.0");
    const others = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    const addresses = [
      "127.0.0.1",
      "169.254.169.254",
      ...others.filter((it) => it.family === "IPv4").map((it) => it.address),
    ];
    const seen = await rig.run(
      addresses.map((address) => `echo GET / | timeout 2 socat -t1 - TCP4:${address}:${port} 2>/dev/null`).join("\n"),
    );
    expect(seen).toBe("");
    expect(visits).toEqual([]);
    expect(await rig.run("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '")).toBe("lo\n");
  });

  test("reaches no abstract socket, such as a screen's", async () => {
    const name = `canary-${process.pid}`;
    const server = createTcpServer((socket) => socket.end("reached"));
    server.listen(`\0${name}`);
    await once(server, "listening");
    onTestFinished(() => void server.close());
    expect(await rig.run(`echo x | timeout 2 socat -t1 - ABSTRACT-CONNECT:${name} 2>/dev/null`)).toBe("");
  });
});

describe("of its way in, a jail", () => {
  let browser: SandboxProcess;

  beforeEach(async () => {
    browser = await rig.start(listenAndRun("cat"), true);
    await browser.log.find(UP);
  });

  afterEach(async () => {
    await browser[Symbol.asyncDispose]();
  });

  test("lets many connections pass at once", async () => {
    const answers = Array.from({ length: 20 }, (_, index) => echo(`message ${index}`));
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, index) => `message ${index}`));
    expect(await echo("again")).toBe("again");
  });

  test("carries large messages whole", async () => {
    const message = "x".repeat(5 * 2 ** 20);
    expect((await echo(message)) === message).toBe(true);
  });

  test("keeps to the socket that was there first, whatever is put in its place", async () => {
    expect(await echo("before")).toBe("before");
    const trap = await openTrap();
    const socket = join(rig.cell.folder, "devtools.sock");
    renameSync(socket, `${socket}.old`);
    symlinkSync(trap.path, socket);
    expect(await echo("after")).toBe("after");
    expect(trap.visits()).toBe(0);
  });

  test("follows no link that was there first", async () => {
    const trap = await openTrap();
    const socket = join(rig.cell.folder, "devtools.sock");
    renameSync(socket, `${socket}.old`);
    symlinkSync(trap.path, socket);
    await expect(rig.cell.connect(NEVER)).rejects.toThrow(/no socket/);
    expect(trap.visits()).toBe(0);
  });

  test("holds one file of the server's, however many connect at once, and none when it is gone", async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, () => rig.cell.connect(NEVER)));
    expect(openFiles(rig.root).length).toBe(1);
    for (const socket of sockets) socket.destroy();
    await browser[Symbol.asyncDispose]();
    await rig.cell[Symbol.asyncDispose]();
    expect(openFiles(rig.root)).toEqual([]);
    await expect(rig.cell.connect(NEVER)).rejects.toThrow(/No browser runs/);
  });

  test("gives up a connection that nobody wants any more", async () => {
    const reason = new Error("nobody wants it");
    await expect(rig.cell.connect(AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const connecting = rig.cell.connect(controller.signal);
    controller.abort(reason);
    await expect(connecting).rejects.toBe(reason);
  });
});

test("a jail without a browser takes no connections", async () => {
  await expect(rig.cell.connect(NEVER)).rejects.toThrow(/No browser runs/);
});

test("a jail whose browser is gone takes no connections", async () => {
  const browser = await rig.start(listenAndRun("cat"), true);
  (await rig.cell.connect(NEVER)).destroy();
  await browser[Symbol.asyncDispose]();
  await expect(rig.cell.connect(NEVER)).rejects.toThrow(/ECONNREFUSED/);
});

test("a jail's way out is the one that was opened for it, and the only one", async () => {
  const ask =
    "until socat -u OPEN:/dev/null TCP4:127.0.0.1:3128 2>/dev/null; do :; done; printf 'GET http://site.example/ HTTP/1.0\\r\\n\\r\\n' | socat -t2 - TCP4:127.0.0.1:3128";
  await using browser = await rig.start(`${ask}; echo done`, true);
  await browser.output.find(/done/);
  expect(browser.output.tail).toContain("Answered by the way out.");
  expect(rig.egress.asked).toEqual(["GET http://site.example/"]);
});

test("jails that use the same ports do not meet", async () => {
  await using other = await openCellRig("jail");
  await using there = await other.start(listenAndRun("echo other"), true);
  await using here = await rig.start(listenAndRun("echo own"), true);
  await Promise.all([here.log.find(UP), there.log.find(UP)]);
  expect(await text(await rig.cell.connect(NEVER))).toBe("own\n");
  expect(await text(await other.cell.connect(NEVER))).toBe("other\n");
  expect(await rig.run("timeout 2 socat -t1 - TCP4:127.0.0.1:9222 </dev/null 2>/dev/null")).toBe("");
});

/** Sends a message and reads what comes back. */
async function echo(message: string): Promise<string> {
  const socket = await rig.cell.connect(NEVER);
  let answer = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    answer += chunk;
    if (answer.length >= message.length) socket.destroy();
  });
  const closed = once(socket, "close");
  socket.write(message);
  await closed;
  return answer;
}

function workFolder(): string {
  const folder = openWorkFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder.path;
}

/** A socket of the host's that nobody in a jail may reach. */
async function openTrap(): Promise<{ path: string; visits(): number }> {
  let visits = 0;
  const path = join(workFolder(), "trap.sock");
  const server = createTcpServer((socket) => {
    visits += 1;
    socket.destroy();
  });
  server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { path, visits: () => visits };
}

async function listen(server: ReturnType<typeof createServer>, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Files below a folder that this process holds open. */
function openFiles(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.startsWith(folder) ? [file] : [];
    } catch {
      return [];
    }
  });
}
