import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NEVER, type TestSandboxes, newSandboxes } from "../../../test/support/real-host.ts";
import { expectNothingLeft } from "../../../test/support/traces.ts";
import { until } from "../../../test/support/until.ts";
import type { Sandbox, SandboxProcess } from "../../ports/sandboxes.ts";

const PROGRAMS = { sh: { command: ["/bin/sh", "-c"], reads: [], isBrowser: true, isFirst: false } };
/** Repeats what is sent to the DevTools port. */
const ECHO = "exec socat -d -d TCP4-LISTEN:9222,bind=127.0.0.1,fork EXEC:cat";

let sandboxes: TestSandboxes;

/** Opens the first sandbox, which is not prepared, and waits for those that are made after it. */
beforeEach(async () => {
  sandboxes = await newSandboxes("sandbox", "", PROGRAMS, 2);
  await using _first = await sandboxes.open("first", ["sh"]);
  await untilPrepared(2);
});

afterEach(async () => {
  await sandboxes[Symbol.asyncDispose]();
  await expectNothingLeft(sandboxes.traces);
});

/** Waits until so many shells wait for what to do. */
async function untilPrepared(count: number): Promise<void> {
  await until(
    () => sandboxes.traces.processes().filter(({ line }) => line === "/bin/sh").length,
    (waiting) => waiting === count,
    10_000,
  );
}

function run(sandbox: Sandbox, script: string): Promise<SandboxProcess> {
  return sandbox.run({ name: "sh", arguments: [script], environment: { HOME: sandbox.home, PATH: "/usr/bin:/bin" } });
}

test("a sandbox that was prepared runs the program with its files, and another one takes its place", async () => {
  const before = sandboxes.traces.folders();
  await using sandbox = await sandboxes.open("b1", ["sh"]);
  expect(sandboxes.traces.folders()).toEqual(before);
  await sandbox.writeFile("file", "written later");
  await using running = await run(sandbox, "cat file; echo; exec sleep 1000");
  await running.output.find(/^written later\n/);
  await untilPrepared(2);
  await sandbox[Symbol.asyncDispose]();
  expect(sandboxes.traces.folders()).not.toEqual(before);
  expect(sandboxes.traces.folders()).toHaveLength(2);
});

test("a connection leads to the browser, whichever program was prepared first", async () => {
  await using _other = await sandboxes.open("b1", ["sh", "screen"]);
  await until(
    () => sandboxes.traces.folders().length,
    (count) => count === 5,
  );
  await using sandbox = await sandboxes.open("b2", ["sh", "screen"]);
  await using running = await run(sandbox, ECHO);
  await running.log.find(/ N listening on /);
  const socket = await sandbox.connect(NEVER);
  socket.write("hello");
  expect(String((await once(socket, "data"))[0])).toBe("hello");
  socket.destroy();
});

test("one that has ended meanwhile is not used, and is removed", async () => {
  for (const { pid, line } of sandboxes.traces.processes()) if (line === "/bin/sh") process.kill(pid, "SIGKILL");
  await expectNothingLeft(sandboxes.traces);
  await using sandbox = await sandboxes.open("b1", ["sh"]);
  await using running = await run(sandbox, "echo up; exec sleep 1000");
  await running.whenReady(running.output.find(/up/), 5000, NEVER);
  await untilPrepared(2);
});

test("a program gets what it is told, whatever a shell would make of it", async () => {
  const odd = `'"$HOME" \`id\` $(id) \\ ;#\n\t*`;
  await using sandbox = await sandboxes.open("b1", ["sh"]);
  const environment = { ODD: odd };
  await using running = await sandbox.run({
    name: "sh",
    arguments: [`printf '%s|%s|' "$1" "$ODD"`, "sh", odd],
    environment,
  });
  await running.ended;
  expect(running.output.tail).toBe(`${odd}|${odd}|`);
});
