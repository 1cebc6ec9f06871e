import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ChromiumHost, ChromiumOptions } from "../../src/adapters/chromium/chromium-host.ts";
import type { BrowserSpec, HostedBrowser } from "../../src/ports/browser-host.ts";
import type { Sandbox, SandboxProcess } from "../../src/ports/sandboxes.ts";
import { FakeEgress } from "../fakes/fake-egress.ts";
import { commandLine, environment, listProcesses, sees } from "./processes.ts";
import { NEVER, type Place, STEALTHY, isolate, openRealHost, openWorkFolder } from "./real-host.ts";
import { until } from "./until.ts";

/** A cell with its way out, for programs that need no Chromium. */
export type CellRig = AsyncDisposable & {
  readonly cell: Sandbox;
  readonly egress: FakeEgress;
  /** The folder that the cell's folder lies in. */
  readonly root: string;
  /** Runs a shell script in the cell, by default not in the browser's place. */
  start(script: string, isBrowser?: boolean): Promise<SandboxProcess>;
  /** Runs one to its end. @returns What it wrote, its log included. */
  run(script: string): Promise<string>;
};

export async function openCellRig(place: Place): Promise<CellRig> {
  await using acquired = new AsyncDisposableStack();
  const root = acquired.use(openWorkFolder()).path;
  const isolation = isolate(place, root);
  await isolation.prepare();
  const cell = acquired.use(await isolation.newSandbox("cell"));
  const egress = new FakeEgress();
  const proxy = acquired.use(egress.open(undefined));
  acquired.use(await cell.openProxyEndpoint((socket) => proxy.accept(socket)));
  const resources = acquired.move();
  const start = (script: string, isBrowser = false): Promise<SandboxProcess> =>
    cell.run({
      command: "/bin/sh",
      arguments: ["-c", script],
      environment: { PATH: "/usr/bin:/bin", HOME: cell.home, GIVEN: "given" },
      reads: [],
      isBrowser,
    });
  return {
    cell,
    egress,
    root,
    start,
    async run(script) {
      await using process = await start(script);
      await process.ended;
      return process.output.tail + process.log.tail;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The real host of browsers, without a way to the network. */
export type BrowserRig = AsyncDisposable & {
  readonly host: ChromiumHost;
  readonly egress: FakeEgress;
  /** The folder that the cells' folders lie in. */
  readonly root: string;
  /** By default a stealthy headless Chromium. */
  open(wanted?: Partial<BrowserSpec>, signal?: AbortSignal): Promise<HostedBrowser>;
  /** Command lines of all processes that belong to cells, or to one of them. */
  processes(id?: string): CellProcessInfo[];
  /** The number of a browser's first process; throws when there is none. */
  mainProcess(id: string): number;
  /** Waits until nothing is held: no process, folder, or way out. */
  expectNothingHeld(): Promise<void>;
};

export type CellProcessInfo = { readonly pid: number; readonly line: string };

export async function openBrowserRig(place: Place, changes: Partial<ChromiumOptions> = {}): Promise<BrowserRig> {
  const folder = openWorkFolder();
  const root = folder.path;
  const egress = new FakeEgress();
  const host = await openRealHost(place, root, egress, changes);
  let opened = 0;
  return {
    host,
    egress,
    root,
    open(wanted = {}, signal = NEVER) {
      opened += 1;
      return host.open({ ...STEALTHY, id: `b${opened}`, ...wanted }, signal);
    },
    processes: (id = "") => processesAt(join(root, id)),
    mainProcess(id) {
      const isMain = /^\S*\/(?:chromium|chrome-headless-shell|chromium-headless-shell) (?!.*--type=)/;
      const found = processesAt(join(root, id)).find(({ line }) => isMain.test(line));
      if (found === undefined) throw new Error(`There is no process of ${id}.`);
      return found.pid;
    },
    async expectNothingHeld() {
      await expectNothingAt(root);
      expect(egress.held).toBe(0);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Processes that have to do with a folder: it is in what they see, what they were told, or what they were given. */
export function processesAt(folder: string): CellProcessInfo[] {
  const owners = ownersAt(folder);
  return listProcesses()
    .filter(
      (one) =>
        owners.has(ownerOf(one.pid)) ||
        sees(one, folder) ||
        commandLine(one).includes(folder) ||
        environment(one).includes(folder),
    )
    .filter(({ pid }) => pid !== process.pid)
    .map((one) => ({ pid: one.pid, line: commandLine(one) }));
}

/** Waits until no process has to do with a folder, and it is empty. */
export async function expectNothingAt(root: string): Promise<void> {
  const held = await until(
    () => ({ processes: processesAt(root), folders: readdirSync(root) }),
    ({ processes, folders }) => processes.length === 0 && folders.length === 0,
    5000,
  ).catch((error: unknown) => error);
  expect(held).toEqual({ processes: [], folders: [] });
}

/** Users that the cells' folders below a folder, or the folder itself, belong to; not the test's own. */
function ownersAt(folder: string): ReadonlySet<number> {
  try {
    const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    const owners = paths.map((path) => statSync(path).uid);
    return new Set(owners.filter((uid) => uid !== process.getuid?.()));
  } catch {
    return new Set();
  }
}

/** Undefined when the process is gone. */
function ownerOf(pid: number): number {
  try {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(uid);
  } catch {
    return Number.NaN;
  }
}
