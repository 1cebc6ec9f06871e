import { join } from "node:path";
import { expect } from "vitest";
import type { ChromiumHost } from "../../../src/adapters/chromium/chromium-host.ts";
import type { BrowserSpec, HostedBrowser } from "../../../src/ports/browser-host.ts";
import type { Programs, Sandbox, SandboxProcess } from "../../../src/ports/sandboxes.ts";
import { FakeEgress } from "../../fakes/fake-egress.ts";
import {
  type HostChanges,
  type Isolation,
  NEVER,
  STEALTHY,
  newSandboxes,
  openRealHost,
  openWorkFolder,
} from "./real-host.ts";
import { type ProcessInfo, type Traces, expectNothingLeft } from "./traces.ts";

/** A sandbox and its egress proxy, for tests without Chromium. */
export type SandboxRig = AsyncDisposable & {
  readonly sandbox: Sandbox;
  readonly egress: FakeEgress;
  /** A folder on the host. */
  readonly root: string;
  /** The path to the sandbox's `home` as this process sees it. */
  readonly folder: string;
  readonly traces: Traces;
  /** Runs a shell script in the sandbox. @param isBrowser False by default. */
  start(script: string, isBrowser?: boolean): Promise<SandboxProcess>;
  /** Runs a shell script until it ends. @returns The script's output, followed by its log. */
  run(script: string): Promise<string>;
};

/** The folder with the machine's programs, some of which tests run in sandboxes. */
export const TOOLS = ["/usr/bin"];

/** Both programs run a shell script, and `browser` stands in for the real browser. */
export const SHELLS: Programs = {
  sh: { command: ["/bin/sh", "-c"], reads: TOOLS, isBrowser: false, isFirst: false },
  browser: { command: ["/bin/sh", "-c"], reads: TOOLS, isBrowser: true, isFirst: false },
};

/** @param programs The sandbox's programs, in addition to shell scripts and screens. */
export async function openSandboxRig(isolation: Isolation, programs: Programs = {}): Promise<SandboxRig> {
  await using acquired = new AsyncDisposableStack();
  const root = acquired.use(openWorkFolder()).path;
  const sandboxes = acquired.use(await newSandboxes(isolation, root, { ...SHELLS, ...programs }));
  const sandbox = acquired.use(await sandboxes.create("box"));
  const egress = new FakeEgress();
  const proxy = acquired.use(egress.startProxy(undefined));
  acquired.use(await sandbox.openProxyEndpoint((socket) => proxy.accept(socket)));
  const resources = acquired.move();
  const start = (script: string, isBrowser = false): Promise<SandboxProcess> =>
    sandbox.run({
      name: isBrowser ? "browser" : "sh",
      arguments: [script],
      environment: { PATH: "/usr/bin:/bin", HOME: sandbox.home, GIVEN: "given" },
    });
  return {
    sandbox,
    egress,
    root,
    folder: join(sandboxes.traces.folder("box"), "home"),
    traces: sandboxes.traces,
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
  readonly traces: Traces;
  /** Opens a browser. Default: a stealthy headless Chromium. */
  open(wanted?: Partial<BrowserSpec>, signal?: AbortSignal): Promise<HostedBrowser>;
  /** Returns the processes of all sandboxes, or of one sandbox. */
  processes(id?: string): ProcessInfo[];
  /** Returns the PID of a browser's main process. @throws {Error} If the process isn't running. */
  mainProcess(id: string): number;
  /** Waits until all processes, folders and proxies are released. */
  expectNothingHeld(): Promise<void>;
};

export async function openBrowserRig(isolation: Isolation, changes: HostChanges = {}): Promise<BrowserRig> {
  const folder = openWorkFolder();
  const egress = new FakeEgress();
  const { host, traces } = await openRealHost(isolation, folder.path, egress, changes);
  const processes: BrowserRig["processes"] = (id) => traces.processes(id);
  let opened = 0;
  return {
    host,
    egress,
    traces,
    open(wanted = {}, signal = NEVER) {
      opened += 1;
      return host.launch({ ...STEALTHY, id: `b${opened}`, ...wanted }, signal);
    },
    processes,
    mainProcess(id) {
      const isMain = /^\S*\/(?:chromium|chrome-headless-shell|chromium-headless-shell) (?!.*--type=)/;
      const found = processes(id).find(({ line }) => isMain.test(line));
      if (found === undefined) throw new Error(`Browser ${id} has no running process.`);
      return found.pid;
    },
    async expectNothingHeld() {
      await expectNothingLeft(traces);
      expect(egress.held).toBe(0);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
