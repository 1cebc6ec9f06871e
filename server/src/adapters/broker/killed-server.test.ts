import { spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, globSync, readdirSync, rmSync, statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ISOLATIONS, type Isolation, newSandboxes, openWorkFolder } from "../../../test/support/browsers/real-host.ts";
import { type Traces, findBrokerSession, tracesAt, tracesOfBroker } from "../../../test/support/browsers/traces.ts";
import { until } from "../../../test/support/until.ts";
import { HAS_VARIANTS } from "../../../test/support/variants.ts";

const SERVER = fileURLToPath(new URL("../../../test/support/browsers/host-process.ts", import.meta.url));
/** A cache of compiled modules, which halves the time that the server needs to start. */
const COMPILED = fileURLToPath(new URL("../../../../node_modules/.cache/compiled", import.meta.url));
const IS_ROOT = process.getuid?.() === 0;
const UNPRIVILEGED = 65_534;

type Server = {
  readonly root: string;
  prints(words: string): Promise<string>;
  /** Returns this server's traces. Call this method once the server reports that browsers are opening. */
  traces(): Traces;
  kill(): Promise<void>;
};

function startServer(isolation: Isolation, user?: number): Server {
  const folder = openWorkFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const root = folder.path;
  if (user !== undefined) chownSync(root, user, user);
  const child = spawn(process.execPath, [SERVER, isolation, root, ...(user === undefined ? [] : [String(user)])], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const closed = once(child, "exit");
  return {
    root,
    prints: (words) =>
      until(
        () => output,
        (all) => all.includes(words),
      ),
    traces: () => (isolation === "none" ? tracesAt(root) : tracesOfBroker(findBrokerSession(child.pid ?? 0))),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

async function expectNoProcesses(traces: Traces): Promise<void> {
  const left = await until(
    () => traces.processes(),
    (processes) => processes.length === 0,
    5000,
  ).catch((error: unknown) => error);
  expect(left).toEqual([]);
}

test.each(ISOLATIONS)(
  "with isolation %s, browsers end when the server is killed, and the next server removes their folders",
  async (isolation) => {
    const server = startServer(isolation);
    await server.prints("all open");
    const traces = server.traces();
    for (const program of ["--type=renderer", "Xvnc "]) {
      expect(traces.processes().some(({ line }) => line.includes(program))).toBe(true);
    }
    expect(traces.folders().toSorted()).toEqual(["graphical", "headless"]);
    await server.kill();
    await expectNoProcesses(traces);
    await using _sandboxes = await newSandboxes(isolation, server.root, {});
    expect(readdirSync(server.root)).toEqual([]);
  },
);

test.each(ISOLATIONS)(
  "with isolation %s, killing the server also ends browsers that are still opening",
  async (isolation) => {
    removeNewKeymaps();
    await Promise.all(
      (HAS_VARIANTS ? [0, 4, 8, 12, 20, 40, 80, 160] : [8, 80]).map(async (delayMs) => {
        const server = startServer(isolation);
        await server.prints("opening");
        const traces = server.traces();
        await wait(delayMs);
        await server.kill();
        await expectNoProcesses(traces);
      }),
    );
  },
);

/**
 * Removes this test's keymaps when the test ends. A screen without its own /tmp leaves its keymap on the host if it is
 * killed while it starts. Another user then can't start a screen with the same display number.
 */
function removeNewKeymaps(): void {
  const before = new Set(globSync("/tmp/server-*.xkm"));
  onTestFinished(() => {
    for (const file of globSync("/tmp/server-*.xkm")) if (!before.has(file)) rmSync(file, { force: true });
  });
}

test.skipIf(!IS_ROOT).each(ISOLATIONS)(
  "with isolation %s, a server that isn't root runs browsers as its own user",
  async (isolation) => {
    const server = startServer(isolation, UNPRIVILEGED);
    const printed = await server.prints("all open");
    expect(printed.match(/^open: .*Chrome\//gm)?.length).toBe(2);
    const traces = server.traces();
    expect(traces.folders()).toHaveLength(2);
    for (const id of traces.folders()) {
      expect(statSync(traces.folder(id))).toMatchObject({ uid: UNPRIVILEGED, mode: 0o40700 });
    }
    await server.kill();
    await expectNoProcesses(traces);
  },
);
