import { once } from "node:events";
import { readlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type SandboxRig, openSandboxRig } from "../../../test/support/browsers/browser-rig.ts";
import { expectNothingLeft } from "../../../test/support/browsers/traces.ts";
import { NEVER, openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { describeExposed } from "./exposed.ts";
import { MAX_FILES, MAX_TASKS } from "../../broker/bounds.ts";
import type { SandboxProcess } from "../../ports/sandboxes.ts";

/**
 * Returns a script that replaces the browser, listens on the DevTools port, and runs the command for each connection:
 * `cat` echoes its input, and other commands print.
 */
const listenAndRun = (command: string): string =>
  `exec socat -d -d TCP4-LISTEN:9222,bind=127.0.0.1,fork,backlog=256 EXEC:'${command}'`;

/** Logged once the program listens on the DevTools port. */
const UP = / N listening on /;

let rig: SandboxRig;

/** Opens one sandbox for the tests of a group. */
function shareRig(): void {
  beforeAll(async () => {
    rig = await openSandboxRig("sandbox");
  });

  afterAll(async () => {
    await rig.sandbox[Symbol.asyncDispose]();
    await expectNothingLeft(rig.traces);
    await rig[Symbol.asyncDispose]();
  });
}

describe("a program in a sandbox", () => {
  shareRig();

  test("can read the host's programs, fonts and certificates, and no other files", async () => {
    const canary = join(workFolder(), "canary");
    writeFileSync(canary, "canary", { mode: 0o644 });
    const hidden = ["/etc/passwd", "/etc/hostname", "/etc/shadow", "/root", "/run", "/sys", "/var/log", "/var/tmp"];
    const own = [import.meta.filename, process.cwd(), rig.root, canary, "/tmp/box"];
    const seen = await rig.run([...hidden, ...own].map((path) => `test -e '${path}' && echo '${path}'`).join("\n"));
    expect(seen).toBe("");
    expect(await rig.run("ls /home /home/browser /tmp /mnt /opt /srv 2>/dev/null")).toBe(
      "/home:\nbrowser\n\n/home/browser:\n\n/tmp:\n",
    );
  });

  test("can't read operators' files below /usr, or the kernel's command line", async () => {
    expect(await rig.run("ls -A /usr/local /usr/local/share 2>/dev/null")).toMatch(
      /^(\/usr\/local:\nshare\n\n\/usr\/local\/share:\nfonts\n)?$/,
    );
    expect(await rig.run("cat /proc/cmdline; mount | grep ' /usr/' | grep -vc '[(,]ro[,)]'")).toBe("0\n");
    expect(describeExposed(["/usr/share/zoneinfo", "/usr/local", "/etc/ssl/certs", rig.root, "/no/such/file"])).toEqual(
      [
        expect.stringContaining("/usr/share/zoneinfo is below /usr/share,"),
        expect.stringContaining("/etc/ssl/certs is below /etc/ssl/certs,"),
      ],
    );
  });

  test("can only write to its own folders", async () => {
    const places = [
      "",
      "/dev",
      "/usr",
      "/etc/fonts",
      "/var/cache/fontconfig",
      "/proc/sys/kernel",
      "/home/browser",
      "/tmp",
      "/dev/shm",
    ];
    const written = await rig.run(
      places.map((path) => `(touch ${path}/x && rm ${path}/x && echo ${path}) 2>/dev/null`).join("\n"),
    );
    expect(written).toBe("/home/browser\n/tmp\n/dev/shm\n");
    // The mounts must be read-only. File modes aren't enough, because a server that isn't root may own these folders.
    expect(
      await rig.run("grep -E '^[^ ]+ /(usr|etc/fonts|var/cache/fontconfig) ' /proc/mounts | grep -vc ' ro,'"),
    ).toBe("0\n");
  });

  test("sees only the processes of its sandbox", async () => {
    const seen = await rig.run("ls /proc | grep -E '^[0-9]+$'; cat /proc/[0-9]*/cmdline | tr '\\0' ' '");
    expect(seen.split("\n").filter((line) => /^\d+$/.test(line)).length).toBeLessThan(8);
    expect(seen).not.toContain("node");
  });

  test("can't see the host's name, and has its own shared memory and message queues", async () => {
    expect(await rig.run("uname -n")).toBe("browser\n");
    expect(hostname()).not.toBe("browser");
    const inside = (await rig.run("readlink /proc/self/ns/ipc /proc/self/ns/net /proc/self/ns/pid /proc/self/ns/uts"))
      .trim()
      .split("\n");
    const outside = ["ipc", "net", "pid", "uts"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    expect(inside.length).toBe(4);
    expect(inside.filter((namespace) => outside.includes(namespace))).toEqual([]);
  });

  test("has no capabilities, and can't gain any", async () => {
    const status = await rig.run("grep -E '^(CapEff|CapPrm|CapBnd|NoNewPrivs)' /proc/self/status");
    expect(status).toBe(
      "CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n",
    );
  });

  test("can't end other programs with the SIGHUP that the kernel sends to a stopped process group", async () => {
    await using neighbour = await rig.start("echo up; exec sleep 100");
    await neighbour.output.find(/up/);
    // Once the process that left the group exits, no process in the group has a parent outside the group.
    const leave = "my $child = fork() // die; $child or kill(STOP => $$), exit; waitpid($child, 2); setpgrp(0, 0)";
    await rig.run(`perl -e '${leave}'`);
    expect(await rig.run("echo served")).toBe("served\n");
    expect(rig.traces.processes("box").map(({ line }) => line)).toContain("sleep 100");
  });

  test("has limits, and is killed before the server if the machine runs out of memory", async () => {
    const limits = await rig.run(
      "cat /proc/self/oom_score_adj; grep -E 'Max (processes|open files)' /proc/self/limits",
    );
    const [score, ...lines] = limits.trim().split("\n");
    expect(Number(score)).toBe(500);
    expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ["Max processes", String(MAX_TASKS), String(MAX_TASKS)],
      ["Max open files", String(MAX_FILES), String(MAX_FILES)],
    ]);
  });

  test("can't reach the host's loopback address, the host's other addresses or the cloud's metadata service", async () => {
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

  test("can't reach abstract sockets, such as a screen's", async () => {
    const name = `canary-${process.pid}`;
    const server = createTcpServer((socket) => socket.end("reached"));
    server.listen(`\0${name}`);
    await once(server, "listening");
    onTestFinished(() => void server.close());
    expect(await rig.run(`echo x | timeout 2 socat -t1 - ABSTRACT-CONNECT:${name} 2>/dev/null`)).toBe("");
  });

  test("only reaches the network through its sandbox's egress proxy", async () => {
    const ask =
      "until socat -u OPEN:/dev/null TCP4:127.0.0.1:3128 2>/dev/null; do :; done; printf 'GET http://site.example/ HTTP/1.0\\r\\n\\r\\n' | socat -t2 - TCP4:127.0.0.1:3128";
    await using browser = await rig.start(`${ask}; echo done`, true);
    await browser.output.find(/done/);
    expect(browser.output.tail).toContain("Answered by the fake proxy.");
    expect(rig.egress.requests).toEqual(["GET http://site.example/"]);
  });
});

describe("connections to the DevTools port", () => {
  let browser: SandboxProcess;

  shareRig();

  beforeAll(async () => {
    browser = await rig.start(listenAndRun("cat"), true);
    await browser.log.find(UP);
  });

  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
  });

  test("can be many", async () => {
    const answers = Array.from({ length: 20 }, (_, index) => echo(`message ${index}`));
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 20 }, (_, index) => `message ${index}`));
    expect(await echo("again")).toBe("again");
  });

  test("carry large messages whole", async () => {
    const message = "x".repeat(5 * 2 ** 20);
    expect((await echo(message)) === message).toBe(true);
  });

  test("can be aborted", async () => {
    const reason = new Error("aborted");
    await expect(rig.sandbox.connect(AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const connecting = rig.sandbox.connect(controller.signal);
    controller.abort(reason);
    await expect(connecting).rejects.toBe(reason);
  });
});

test("a sandbox refuses connections before its browser has started and after it has ended", async () => {
  await using own = await openSandboxRig("sandbox");
  await expect(own.sandbox.connect(NEVER)).rejects.toThrow(/No browser is running/);
  const browser = await own.start(listenAndRun("cat"), true);
  await browser.log.find(UP);
  (await own.sandbox.connect(NEVER)).destroy();
  await browser[Symbol.asyncDispose]();
  await expect(own.sandbox.connect(NEVER)).rejects.toThrow(/ECONNREFUSED/);
});

test("sandboxes that use the same ports don't reach each other", async () => {
  await using own = await openSandboxRig("sandbox");
  await using other = await openSandboxRig("sandbox");
  await using there = await other.start(listenAndRun("echo other"), true);
  await using here = await own.start(listenAndRun("echo own"), true);
  await Promise.all([here.log.find(UP), there.log.find(UP)]);
  expect(await text(await own.sandbox.connect(NEVER))).toBe("own\n");
  expect(await text(await other.sandbox.connect(NEVER))).toBe("other\n");
  expect(await own.run("timeout 2 socat -t1 - TCP4:127.0.0.1:9222 </dev/null 2>/dev/null")).toBe("");
});

/** Sends a message and reads a response of the same length. */
async function echo(message: string): Promise<string> {
  const socket = await rig.sandbox.connect(NEVER);
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

async function listen(server: ReturnType<typeof createServer>, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
