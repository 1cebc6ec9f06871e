import { afterEach, beforeEach, expect, test } from "vitest";
import { type BrowserRig, openBrowserRig } from "../../../test/support/browsers/browser-rig.ts";
import { openPage } from "../../../test/support/browsers/devtools-client.ts";
import { displays, drive, newSandboxes } from "../../../test/support/browsers/real-host.ts";
import { WAITING_SHELL } from "../../../test/support/machine/processes.ts";
import { until } from "../../../test/support/until.ts";
import { findExecutables, toBrowserPrograms } from "./launch/executables.ts";

let rig: BrowserRig;
/** Numbers of prepared programs and ready screens. */
let waiting: number;
let screens: number;

beforeEach(async () => {
  [waiting, screens] = [0, 0];
  const inner = await newSandboxes("sandbox", "", toBrowserPrograms(findExecutables()));
  rig = await openBrowserRig("sandbox", {
    spares: 1,
    sandboxes: {
      traces: inner.traces,
      [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
      async create(id) {
        const sandbox = await inner.create(id);
        const prepare = sandbox.prepare.bind(sandbox);
        sandbox.prepare = async (name) => {
          const prepared = await prepare(name);
          waiting += 1;
          return prepared;
        };
        return sandbox;
      },
    },
    displays: {
      async start(sandbox, signal) {
        const display = await displays().start(sandbox, signal);
        void display.ready.then(() => (screens += 1));
        return display;
      },
    },
  });
});

afterEach(async () => {
  await rig[Symbol.asyncDispose]();
  await rig.expectNothingHeld();
});

async function untilPrepared(wanted: { readonly waiting: number; readonly screens: number }): Promise<void> {
  await until(
    () => [waiting, screens],
    ([shells = 0, ready = 0]) => shells >= wanted.waiting && ready >= wanted.screens,
  );
}

function findScreens(sandbox?: string): number[] {
  return rig.processes(sandbox).flatMap(({ line, pid }) => (/^\S*X\S*vnc /.test(line) ? [pid] : []));
}

test("a graphical browser uses a prepared screen, and another one is prepared", async () => {
  await using _first = await rig.open({ isHeadless: false });
  await untilPrepared({ waiting: 1, screens: 2 });
  const [screen] = findScreens("spare-1");
  await using second = await rig.open({ isHeadless: false });
  await using client = await drive(second);
  const evaluate = await openPage(client, "about:blank");
  expect(await evaluate("[screen.width, screen.height]")).toEqual([1920, 1080]);
  expect(findScreens("spare-1")).toEqual([screen]);
  expect(rig.mainProcess("spare-1")).toBeGreaterThan(0);
  await untilPrepared({ waiting: 2, screens: 3 });
  // The smaller browser's preferences differ, so it needs its own workspace.
  await using _smaller = await rig.open({ isHeadless: false, switches: ["--window-size=800,600"] });
  expect(findScreens()).toHaveLength(4);
});

test("a workspace whose shell has ended is removed, and the next browser uses another", async () => {
  await using _first = await rig.open({ kind: "chrome-headless-shell" });
  await untilPrepared({ waiting: 1, screens: 0 });
  const shells = await until(
    () => rig.processes("spare-1").filter(({ line }) => WAITING_SHELL.test(line)),
    ({ length }) => length > 0,
  );
  for (const { pid } of shells) process.kill(pid, "SIGKILL");
  await until(
    () => rig.traces.folders(),
    (folders) => !folders.includes("spare-1"),
  );
  await using _second = await rig.open({ kind: "chrome-headless-shell" });
  expect(rig.mainProcess("b2")).toBeGreaterThan(0);
  await untilPrepared({ waiting: 2, screens: 0 });
});
