import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, readdirSync } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import koffi from "koffi";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { TOOLS } from "../../../test/support/browsers/browser-rig.ts";
import { expectNothingLeft, tracesOfBroker } from "../../../test/support/browsers/traces.ts";
import {
  type Process,
  commandLine,
  descendants,
  environment,
  kill,
  listProcesses,
} from "../../../test/support/machine/processes.ts";
import { until } from "../../../test/support/until.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";
import type { Request } from "../../broker/requests.ts";
import { BrokerProcess } from "./broker-process.ts";

/** Listens on the DevTools port, and echoes its input. */
const ECHO = ["/bin/sh", "-c", "exec socat -d -d TCP4-LISTEN:9222,bind=127.0.0.1,fork EXEC:cat"];
const PROGRAMS = {
  echo: { command: ECHO, reads: TOOLS, isBrowser: true, isFirst: false },
  sh: { command: ["/bin/sh", "-c"], reads: TOOLS, isBrowser: false, isFirst: false },
};
const RUN = { arguments: [], environment: { PATH: "/usr/bin:/bin" } };

let broker: BrokerProcess;

/** Starts a broker that ends with the test. */
async function startOwnBroker(): Promise<void> {
  const own = await startBroker();
  onTestFinished(() => own[Symbol.asyncDispose]());
  broker = own;
}

function startBroker(): Promise<BrokerProcess> {
  return BrokerProcess.start({
    programs: PROGRAMS,
    hasOwners: process.getuid?.() === 0,
    tasks: 1000,
    diskBytes: 2 ** 24,
  });
}

/** Returns this process's only broker. For a moment, a program that the broker starts looks like the broker. */
function theBroker(): Process {
  const family = descendants(listProcesses(), process.pid);
  const unshare = family.find((one) => commandLine(one).startsWith("unshare "));
  const found = family.find((one) => one.parent === unshare?.pid);
  if (found === undefined) throw new Error("This process doesn't have a broker.");
  return found;
}

type Echo = {
  /** A connection to the program. */
  readonly socket: Socket;
  /** Resolves when the connection has closed. */
  readonly closed: Promise<unknown>;
  readonly ended: Promise<unknown>;
};

/** Starts a program in a new sandbox, and connects to it. */
async function startEcho(id: string): Promise<Echo> {
  await broker.ask({ ask: "make", id, memoryBytes: 2 ** 30 });
  await broker.ask({ ask: "holdFile", id, name: "file" });
  const started = await broker.ask({ ask: "start", id, name: "echo" });
  const program = Number(started.value);
  await broker.ask({ ask: "run", id, program, ...RUN });
  const ended = broker.whenEnded(program);
  started.sockets["output"]?.on("error", () => {});
  let log = "";
  started.sockets["log"]?.on("data", (chunk: Buffer) => (log += chunk.toString()));
  await until(
    () => log,
    (text) => text.includes("N listening"),
  );
  const { socket } = (await broker.ask({ ask: "connectBrowser", id })).sockets;
  if (!(socket instanceof Socket)) throw new Error("The broker sent no socket.");
  const closed = once(socket, "close");
  socket.write("hello");
  expect(String((await once(socket, "data"))[0])).toBe("hello");
  return { socket, closed, ended };
}

/** Invalid and some valid values for request members. */
const NAMES = ["fuzz", "fuzz-2", "../fuzz", "/etc/fuzz", "fuzz/../../fuzz", "fuzz\0", "fuzz.sock"];
const value = fc.oneof(
  fc.constantFrom(...NAMES, "..", "echo", "sh", ""),
  fc.constantFrom(null, true, 0, -1, 1.5, 2 ** 53, [], ["--bind", "/", "/"], {}, { LD_PRELOAD: "x" }, "x".repeat(5000)),
  fc.constantFrom(NAMES, 2 ** 28, 2 ** 60),
  fc.jsonValue({ maxDepth: 1 }),
);
const members = [
  ...[
    "id",
    "name",
    "content",
    "program",
    "programs",
    "arguments",
    "environment",
    "hasOwners",
    "memoryBytes",
    "ids",
    "weight",
  ],
];
const asks = [
  ...[
    "prepare",
    "make",
    "writeFile",
    "holdFile",
    "rewriteFile",
    "holdSocket",
    "holdListener",
    "connectSocket",
    "release",
  ],
  ...["start", "run", "measure", "kill", "connectBrowser", "remove", "limit", "weigh", "constructor", "exec"],
];
const request = fc.record({
  ask: fc.constantFrom(...asks),
  ...Object.fromEntries(members.map((name) => [name, value])),
});

test("whatever the server requests, the broker keeps working, and creates nothing outside of sandboxes", async () => {
  await startOwnBroker();
  const traces = tracesOfBroker(broker.session);
  const escaped = (): string[] =>
    ["/", "/tmp", "/etc", "/root", "/home"]
      .flatMap((path) => readdirSync(path))
      .filter((name) => name.includes("fuzz"));
  // Other programs may create files with `fuzz` in their names.
  const before = escaped();
  const { socket, closed } = await startEcho("other");
  const requests = fc.sample(request, HAS_VARIANTS ? 2000 : 500);
  const outcomes = await Promise.allSettled(requests.map((each) => broker.ask(each as unknown as Request)));
  const reasons = outcomes.filter((each) => each.status === "rejected").map(({ reason }) => String(reason));
  expect(reasons.length).toBeGreaterThan(requests.length / 2);
  // The broker or kernel may refuse requests, but no request may trigger a bug.
  expect(reasons.filter((each) => /undefined|is not a function|Cannot read/.test(each))).toEqual([]);
  expect(traces.folders().filter((name) => !/^[\w-]{1,36}$/.test(name))).toEqual([]);
  expect(escaped().filter((name) => !before.includes(name))).toEqual([]);
  socket.write("still here");
  expect(String((await once(socket, "data"))[0])).toBe("still here");
  await broker.ask({ ask: "remove", id: "other" });
  await closed;
});

/** @returns The bytes received. */
function readUntil(socket: Socket | undefined, wanted: string): Promise<string> {
  let text = "";
  socket?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return until(
    () => text,
    (all) => all.includes(wanted),
  );
}

test("the broker's programs don't inherit the server's file descriptors", async () => {
  const dup = koffi.load("libc.so.6").func("int dup(int fd)");
  const inherited: number = dup(openSync("/etc/passwd", "r"));
  await startOwnBroker();
  closeSync(inherited);
  await broker.ask({ ask: "make", id: "one", memoryBytes: 2 ** 30 });
  const started = await broker.ask({ ask: "start", id: "one", name: "sh" });
  const run = { arguments: ["ls -l /proc/self/fd /proc/1/fd; echo all"], environment: {} };
  await broker.ask({ ask: "run", id: "one", program: Number(started.value), ...run });
  expect(await readUntil(started.sockets["output"], "all\n")).not.toContain("passwd");
});

/**
 * Delays bubblewrap by two seconds once it has created a sandbox's first process, which waits for bubblewrap.
 * @returns A function that ends the delays.
 */
async function slowStarts({ pid }: Process): Promise<() => Promise<void>> {
  const trace = ["-e", "trace=clone", "-e", "inject=clone:delay_exit=2000000"];
  const tracer = spawn("strace", ["-f", "-qq", "-o", "/dev/null", ...trace, "-p", `${pid}`], { stdio: "inherit" });
  const ended = once(tracer, "exit");
  await until(
    () => readFileSync(`/proc/${pid}/status`, "latin1"),
    (status) => !status.includes("TracerPid:\t0"),
  );
  return async () => {
    tracer.kill("SIGKILL");
    await ended;
  };
}

test("killing the broker ends all programs, and further requests fail", async () => {
  await startOwnBroker();
  const { ended, closed } = await startEcho("one");
  kill(theBroker());
  expect(String(await broker.failed)).toMatch(/The broker has ended/);
  expect(await ended).toMatchObject({ code: null, signal: "SIGKILL" });
  await closed;
  await expectNothingLeft(tracesOfBroker(broker.session));
  await expect(broker.ask({ ask: "make", id: "two", memoryBytes: 2 ** 30 })).rejects.toThrow("The broker has ended");
});

test("killing the broker also ends a program that is starting", async () => {
  for (const delayMs of HAS_VARIANTS ? [0, 1, 2, 4, 8, 16] : [1, 8]) {
    await startOwnBroker();
    const id = `late-${delayMs}`;
    await broker.ask({ ask: "make", id, memoryBytes: 2 ** 30 });
    const starting = broker.ask({ ask: "start", id, name: "echo" }).catch(() => undefined);
    await wait(delayMs);
    kill(theBroker());
    await starting;
    await expectNothingLeft(tracesOfBroker(broker.session));
  }
});

describe("while no test ends the broker,", () => {
  beforeAll(async () => {
    broker = await startBroker();
  });

  afterAll(() => broker[Symbol.asyncDispose]());

  test("the broker releases a sandbox's resources when the sandbox is removed", async () => {
    const countHeld = (): number => readdirSync(`/proc/${theBroker().pid}/fd`).length;
    const run = async (id: string): Promise<void> => {
      const { closed } = await startEcho(id);
      await expect(broker.ask({ ask: "holdFile", id, name: "late" })).rejects.toThrow("no more files");
      await broker.ask({ ask: "remove", id });
      await closed;
    };
    await run("first");
    const before = countHeld();
    await Promise.all(["a", "b", "c"].map(run));
    await until(countHeld, (held) => held <= before);
    expect(tracesOfBroker(broker.session).folders()).toEqual([]);
  });

  test("a program starts after pending file requests, and later file requests are refused", async () => {
    await broker.ask({ ask: "make", id: "one", memoryBytes: 2 ** 30 });
    const name = (index: number): string => `a/b/c/d/file-${index}`;
    const write = (index: number) => broker.ask({ ask: "writeFile", id: "one", name: name(index), content: "" });
    // More writes than Node's threads can handle concurrently. A program that is already running could replace a folder
    // with a link.
    const before = Promise.all(Array.from({ length: 300 }, (_, index) => write(index)));
    const started = await broker.ask({ ask: "start", id: "one", name: "sh" });
    const run = { arguments: ["cd /home/browser/a/b/c/d && ls | wc -l"], environment: {} };
    const running = broker.ask({ ask: "run", id: "one", program: Number(started.value), ...run });
    const after = write(300).catch(String);
    await before;
    expect(await after).toContain("no more files");
    await running;
    expect(await readUntil(started.sockets["output"], "\n")).toBe("300\n");
    await broker.ask({ ask: "remove", id: "one" });
  });

  test("the broker doesn't inherit the server's environment, which contains keys and passwords", () => {
    expect(environment(theBroker())).not.toContain("VITEST");
  });

  test("killing bubblewrap during a sandbox's start leaves no sandbox behind", async () => {
    const own = theBroker();
    const programs = (): Process[] => descendants(listProcesses(), own.pid);
    await broker.ask({ ask: "make", id: "one", memoryBytes: 2 ** 30 });
    const endSlowness = await slowStarts(own);
    const starting = broker.ask({ ask: "start", id: "one", name: "echo" }).catch(String);
    const [first] = await until(
      () => programs().filter(({ parent }) => parent !== own.pid),
      (found) => found.length > 0,
    );
    process.kill(Number(first?.parent), "SIGKILL");
    await endSlowness();
    expect(await starting).toMatch("exited with SIGKILL");
    await until(programs, (left) => left.length === 0);
    await broker.ask({ ask: "remove", id: "one" });
  });
});
