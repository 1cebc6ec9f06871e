import { once } from "node:events";
import { readdirSync } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectNothingLeft, tracesOfBroker } from "../../../test/support/traces.ts";
import {
  type Process,
  commandLine,
  descendants,
  environment,
  kill,
  listProcesses,
} from "../../../test/support/processes.ts";
import { until } from "../../../test/support/until.ts";
import { BrokerProcess } from "./broker-process.ts";

/** Listens on the DevTools port, and repeats what it is sent. */
const ECHO = ["/bin/sh", "-c", "exec socat -d -d TCP4-LISTEN:9222,bind=127.0.0.1,fork EXEC:cat"];
const PROGRAMS = { echo: { command: ECHO, reads: [], isBrowser: true, isFirst: false } };
const RUN = { name: "echo", arguments: [], environment: { PATH: "/usr/bin:/bin" } };

let broker: BrokerProcess;

beforeEach(async () => {
  broker = await startBroker();
});

afterEach(async () => {
  await broker[Symbol.asyncDispose]();
});

function startBroker(): Promise<BrokerProcess> {
  return BrokerProcess.start({ programs: PROGRAMS, hasOwners: process.getuid?.() === 0 });
}

/** The only broker that this process has. A program that it starts looks like the broker for a moment. */
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
  await broker.ask({ ask: "makeFolder", id });
  await broker.ask({ ask: "holdFile", id, name: "file" });
  const { value, sockets } = await broker.ask({ ask: "start", id, ...RUN });
  const ended = broker.whenEnded(Number(value));
  sockets["output"]?.on("error", () => {});
  let log = "";
  sockets["log"]?.on("data", (chunk: Buffer) => (log += chunk.toString()));
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

test("what it held for sandboxes is released with them", async () => {
  const countHeld = (): number => readdirSync(`/proc/${theBroker().pid}/fd`).length;
  const run = async (id: string): Promise<void> => {
    const { closed } = await startEcho(id);
    await expect(broker.ask({ ask: "holdFile", id, name: "late" })).rejects.toThrow("no more files");
    await broker.ask({ ask: "remove", id });
    await closed;
  };
  await run("first");
  const before = countHeld();
  await Promise.all(["a", "b", "c", "d"].map(run));
  await until(countHeld, (held) => held <= before);
  expect(tracesOfBroker(broker.session).folders()).toEqual([]);
});

test("it refuses what it doesn't know, and serves everyone else", async () => {
  await broker.ask({ ask: "makeFolder", id: "mine" });
  const refused = Array.from({ length: 500 }, (_, index) => [
    broker.ask({ ask: "makeFolder", id: `../${index}` }),
    broker.ask({ ask: "writeFile", id: "mine", name: "../../escaped", content: "" }),
    broker.ask({ ask: "connectBrowser", id: "mine" }),
    broker.ask({ ask: "start", id: "theirs", ...RUN }),
    broker.ask({ ask: "holdSocket", id: "mine", name: "none.sock" }),
  ]);
  const outcomes = Promise.allSettled(refused.flat());
  const { socket } = await startEcho("other");
  socket.destroy();
  const reasons = (await outcomes).map((each) => (each.status === "rejected" ? String(each.reason) : "accepted"));
  expect([...new Set(reasons.map((reason) => reason.replace(/, .*/, "")))].toSorted()).toEqual([
    "Error: ENOENT: no such file or directory",
    "Error: No browser is running in this sandbox.",
    "Error: Sandbox theirs doesn't exist.",
    "Error: The request makeFolder has no valid id.",
    "Error: The request writeFile has no valid name.",
  ]);
  expect(tracesOfBroker(broker.session).folders().toSorted()).toEqual(["mine", "other"]);
});

test("it doesn't get the server's environment, which contains keys and passwords", () => {
  expect(environment(theBroker())).not.toContain("VITEST");
});

test("when it is killed, all programs end with it, and further requests fail", async () => {
  const { ended, closed } = await startEcho("one");
  kill(theBroker());
  expect(String(await broker.failed)).toMatch(/The broker has ended/);
  expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
  await closed;
  await expectNothingLeft(tracesOfBroker(broker.session));
  await expect(broker.ask({ ask: "makeFolder", id: "two" })).rejects.toThrow("The broker has ended");
});

test("a program that is starting ends with a killed broker, too", async () => {
  for (const delayMs of [0, 1, 2, 4, 8, 16]) {
    const id = `late-${delayMs}`;
    await broker.ask({ ask: "makeFolder", id });
    const starting = broker.ask({ ask: "start", id, ...RUN }).catch(() => undefined);
    await wait(delayMs);
    kill(theBroker());
    await starting;
    await expectNothingLeft(tracesOfBroker(broker.session));
    broker = await startBroker();
  }
});
