import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ChromiumHost, ChromiumOptions } from "../../src/adapters/chromium/chromium-host.ts";
import type { BrowserSpec, HostedBrowser } from "../../src/ports/browser-host.ts";
import type { Sandbox, SandboxProcess } from "../../src/ports/sandboxes.ts";
import { FakeEgress } from "../fakes/fake-egress.ts";
import { commandLine, environment, listProcesses, sees } from "./processes.ts";
import { type Isolation, NEVER, STEALTHY, newSandboxes, openRealHost, openWorkFolder } from "./real-host.ts";
import { until } from "./until.ts";

/** A sandbox with its egress proxy, for tests without Chromium. */
export type SandboxRig = AsyncDisposable & {
  readonly sandbox: Sandbox;
  readonly egress: FakeEgress;
  /** The folder that the sandbox's folder lies in. */
  readonly root: string;
  /** The sandbox's `home` on the host. */
  readonly folder: string;
  /** Runs a shell script in the sandbox. @param isBrowser False by default. */
  start(script: string, isBrowser?: boolean): Promise<SandboxProcess>;
  /** Runs a shell script until it ends. @returns Its output, followed by its log. */
  run(script: string): Promise<string>;
};

export async function openSandboxRig(isolation: Isolation): Promise<SandboxRig> {
  await using acquired = new AsyncDisposableStack();
  const root = acquired.use(openWorkFolder()).path;
  const sandboxes = acquired.use(await newSandboxes(isolation, root));
  const sandbox = acquired.use(await sandboxes.open("box"));
  const egress = new FakeEgress();
  const proxy = acquired.use(egress.open(undefined));
  acquired.use(await sandbox.openProxyEndpoint((socket) => proxy.accept(socket)));
  const resources = acquired.move();
  const start = (script: string, isBrowser = false): Promise<SandboxProcess> =>
    sandbox.run({
      command: "/bin/sh",
      arguments: ["-c", script],
      environment: { PATH: "/usr/bin:/bin", HOME: sandbox.home, GIVEN: "given" },
      reads: [],
      isBrowser,
    });
  return {
    sandbox,
    egress,
    root,
    folder: join(root, "box/home"),
    start,
    async run(script) {
      await using process = await start(script);
      await process.ended;
      return process.output.tail + process.log.tail;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The real browser host, with a fake egress proxy. */
export type BrowserRig = AsyncDisposable & {
  readonly host: ChromiumHost;
  readonly egress: FakeEgress;
  /** The folder that the sandbox folders lie in. */
  readonly root: string;
  /** Opens a browser: by default a stealthy headless Chromium. */
  open(wanted?: Partial<BrowserSpec>, signal?: AbortSignal): Promise<HostedBrowser>;
  /** All processes of sandboxes, or of one sandbox. */
  processes(id?: string): ProcessInfo[];
  /** The id of a browser's main process. @throws {Error} When it doesn't run. */
  mainProcess(id: string): number;
  /** Waits until nothing is held: no processes, folders or proxies. */
  expectNothingHeld(): Promise<void>;
};

export type ProcessInfo = { readonly pid: number; readonly line: string };

export async function openBrowserRig(
  isolation: Isolation,
  changes: Partial<ChromiumOptions> = {},
): Promise<BrowserRig> {
  const folder = openWorkFolder();
  const root = folder.path;
  const egress = new FakeEgress();
  const host = await openRealHost(isolation, root, egress, changes);
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
      if (found === undefined) throw new Error(`No process of ${id} runs.`);
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

/** Processes that use a folder: by owner, mount, command line or environment. */
export function processesAt(folder: string): ProcessInfo[] {
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

/** Waits until no process uses a folder, and the folder is empty. */
export async function expectNothingAt(root: string): Promise<void> {
  const held = await until(
    () => ({ processes: processesAt(root), folders: readdirSync(root) }),
    ({ processes, folders }) => processes.length === 0 && folders.length === 0,
    5000,
  ).catch((error: unknown) => error);
  expect(held).toEqual({ processes: [], folders: [] });
}

/** The owners of a folder and of the sandbox folders in it, without the test's own user. */
function ownersAt(folder: string): ReadonlySet<number> {
  try {
    const paths = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    const owners = paths.map((path) => statSync(path).uid);
    return new Set(owners.filter((uid) => uid !== process.getuid?.()));
  } catch {
    return new Set();
  }
}

/** NaN when the process has ended. */
function ownerOf(pid: number): number {
  try {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return Number(uid);
  } catch {
    return Number.NaN;
  }
}
