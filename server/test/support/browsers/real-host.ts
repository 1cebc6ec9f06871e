import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { newIsolatedSandboxes } from "../../../src/adapters/broker/isolated-sandbox.ts";
import { newSharedSandboxes } from "../../../src/adapters/broker/shared-sandbox.ts";
import { ChromiumHost, type ChromiumOptions } from "../../../src/adapters/chromium/chromium-host.ts";
import { findExecutables, toBrowserPrograms } from "../../../src/adapters/chromium/launch/executables.ts";
import { readMachine } from "../../../src/adapters/linux/linux-machine.ts";
import { systemClock } from "../../../src/adapters/node/system-clock.ts";
import { WorkerThreads } from "../../../src/adapters/node/worker-threads.ts";
import { newXvncDisplays, toScreenProgram } from "../../../src/adapters/xvnc/xvnc.ts";
import { toBounds } from "../../../src/domain/machine/bounds.ts";
import { RESERVED_DISK_BYTES } from "../../../src/domain/machine/machine.ts";
import type { HostedBrowser } from "../../../src/ports/browser-host.ts";
import type { Display, Displays } from "../../../src/ports/display.ts";
import type { Egress } from "../../../src/ports/egress.ts";
import type { Programs, Sandbox, Sandboxes } from "../../../src/ports/sandboxes.ts";
import { type DevtoolsClient, connectDevtools } from "./devtools-client.ts";
import { type Traces, tracesAt, tracesOfBroker } from "./traces.ts";
import { HAS_VARIANTS } from "../variants.ts";

/** Where sandboxes run: in bubblewrap, or directly on the host. */
export type Isolation = "sandbox" | "none";
export const ISOLATIONS: readonly Isolation[] = HAS_VARIANTS ? ["sandbox", "none"] : ["sandbox"];

export const NEVER = new AbortController().signal;
export const LAUNCH_TIMEOUT_MS = 30_000;

/** A folder that the sandboxes' users can enter, with a path short enough for sockets. */
export type WorkFolder = Disposable & { readonly path: string };

export function openWorkFolder(): WorkFolder {
  const path = mkdtempSync("/var/tmp/rbs-work-");
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
}

/** The operator's settings. */
type SetLimits = Partial<Parameters<typeof toBounds>[1]> & { readonly hasGroups?: boolean; readonly tasks?: number };
const DEFAULTS = { memoryBytes: undefined, diskBytes: undefined, areFilesOnDisk: false, hasGroups: true };

export type TestSandboxes = Sandboxes & { readonly traces: Traces };

/**
 * @param root With isolation `none`, the folder of all sandboxes; otherwise, a folder on the disk that stores the
 * sandboxes' files.
 * @param programs Programs that the sandboxes can run, in addition to screens.
 */
export async function newSandboxes(
  isolation: Isolation,
  root: string,
  programs: Programs,
  limits?: SetLimits,
): Promise<TestSandboxes> {
  const options = { programs: { ...toScreenProgram(), ...programs }, hasOwners: process.getuid?.() === 0 };
  if (isolation === "none") {
    return Object.assign(await newSharedSandboxes({ root, ...options, onStuck() {} }, systemClock), {
      traces: tracesAt(root),
    });
  }
  const { hasGroups: usesGroups, tasks, ...set } = { tasks: undefined, ...DEFAULTS, ...limits };
  const bounds = toBounds({ ...readMachine(), ...(tasks === undefined ? {} : { tasks }) }, set);
  const disk = set.areFilesOnDisk ? { folder: root, reservedBytes: RESERVED_DISK_BYTES } : undefined;
  const sandboxes = await newIsolatedSandboxes({ ...bounds, usesGroups, disk, ...options }, systemClock);
  return Object.assign(sandboxes, { traces: tracesOfBroker(sandboxes.session) });
}

/** The screen size that the server uses. */
const SCREEN = { width: 1920, height: 1080 };

export function displays(startTimeoutMs = LAUNCH_TIMEOUT_MS): Displays {
  const threads = new WorkerThreads({ atOnce: 1, clock: systemClock });
  return newXvncDisplays({ ...SCREEN, startTimeoutMs, randomBytes, threads });
}

/** Starts a display and waits until it is ready. */
export async function openDisplay(sandbox: Sandbox, signal: AbortSignal, startTimeoutMs?: number): Promise<Display> {
  const display = await displays(startTimeoutMs).start(sandbox, signal);
  try {
    await display.ready;
    return display;
  } catch (error) {
    await display[Symbol.asyncDispose]();
    throw error;
  }
}

export type RealHost = { readonly host: ChromiumHost; readonly traces: Traces };

/** Parts of a browser host that tests can replace. */
export type HostChanges = Partial<Omit<ChromiumOptions, "sandboxes">> & {
  readonly sandboxes?: TestSandboxes;
  /** Programs that replace default programs of the same name. */
  readonly programs?: Programs;
  readonly limits?: SetLimits;
};

/** Creates the real browser host. @param root See `newSandboxes`. */
export async function openRealHost(
  isolation: Isolation,
  root: string,
  egress: Egress,
  { programs, limits, ...changes }: HostChanges = {},
): Promise<RealHost> {
  const executables = changes.executables ?? findExecutables();
  const sandboxes =
    changes.sandboxes ??
    (await newSandboxes(isolation, root, { ...toBrowserPrograms(executables), ...programs }, limits));
  const host = new ChromiumHost({
    executables,
    displays: displays(),
    screen: SCREEN,
    egress,
    clock: systemClock,
    threads: new WorkerThreads({ atOnce: 1, clock: systemClock }),
    launchTimeoutMs: LAUNCH_TIMEOUT_MS,
    ...changes,
    sandboxes,
  });
  return { host, traces: sandboxes.traces };
}

/** A default spec for tests. */
export const STEALTHY = {
  kind: "chromium",
  isHeadless: true,
  isStealthy: true,
  switches: [],
  ignoredSwitches: [],
  proxy: undefined,
} as const;

/** Connects a new DevTools client to the browser. */
export async function drive(browser: HostedBrowser): Promise<DevtoolsClient> {
  const socket = await browser.connect(NEVER);
  return connectDevtools(`ws://127.0.0.1${browser.devtoolsPath}`, { createConnection: () => socket });
}
