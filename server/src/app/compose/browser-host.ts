import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describeExposed } from "../../adapters/broker/exposed.ts";
import { newIsolatedSandboxes } from "../../adapters/broker/isolated-sandbox.ts";
import { newSharedSandboxes } from "../../adapters/broker/shared-sandbox.ts";
import { ChromiumHost } from "../../adapters/chromium/chromium-host.ts";
import { findExecutables, toBrowserPrograms } from "../../adapters/chromium/launch/executables.ts";
import { newEgress } from "../../adapters/egress-proxy/egress.ts";
import { FakeHost } from "../../adapters/fake-browser/fake-host.ts";
import { readMachine } from "../../adapters/linux/linux-machine.ts";
import { findSandboxBlocker } from "../../adapters/linux/sandbox-trials.ts";
import { canUseOwnUsers, readStatus } from "../../adapters/linux/status.ts";
import { toFreeUser } from "../../adapters/linux/user.ts";
import { WorkerThreads } from "../../adapters/node/worker-threads.ts";
import { hasXvnc, newXvncDisplays, toScreenProgram } from "../../adapters/xvnc/xvnc.ts";
import { type Config, ConfigError } from "../../config/config.ts";
import { describeBlocker } from "../../domain/browser/blocker.ts";
import { findBoundsMistake, toBounds } from "../../domain/machine/bounds.ts";
import { RESERVED_DISK_BYTES } from "../../domain/machine/machine.ts";
import { USUAL_SCREEN } from "../../domain/browser/screen.ts";
import type { BrowserHost } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Rights } from "../../ports/rights.ts";
import type { Programs, Sandboxes } from "../../ports/sandboxes.ts";

/** Threads that encode and decode pictures. A screen's thumbnail uses a core for 0.1 s. */
const PICTURE_THREADS = 1;

/** Starts the host of a server's browsers. */
export type BrowserPlatform = {
  /** Whether browsers use the machine's memory, processes and displays. */
  readonly usesMachine: boolean;
  /** @throws {Error} If the work folder can't be used. */
  start(config: Config, ports: PlatformPorts): Promise<BrowserHost>;
};

type PlatformPorts = { readonly clock: Clock; readonly log: Log; readonly rights: Rights };

/** Chromium, in sandboxes unless `RBS_ISOLATION` is `none`. Starting the platform removes a killed server's files. */
export const chromiumPlatform: BrowserPlatform = {
  usesMachine: true,
  async start(config, ports) {
    const { clock, log } = ports;
    const executables = findExecutables();
    const programs = { ...toBrowserPrograms(executables), ...toScreenProgram() };
    const sandboxes = await openSandboxes(config, programs, ports);
    const startTimeoutMs = config.launchTimeoutMs;
    const threads = new WorkerThreads({ atOnce: PICTURE_THREADS, clock });
    return new ChromiumHost({
      executables,
      sandboxes,
      displays: hasXvnc() ? newXvncDisplays({ ...USUAL_SCREEN, startTimeoutMs, randomBytes, threads }) : undefined,
      screen: USUAL_SCREEN,
      egress: newEgress({
        rules: config.egress,
        operatorProxies: config.proxies,
        maxConnections: config.browserConnections,
        log,
      }),
      clock,
      threads,
      launchTimeoutMs: config.launchTimeoutMs,
      // Without isolation, pages in other browsers could reach a prepared sandbox.
      spares: config.isolation === "none" ? 0 : config.spareSandboxes,
    });
  },
};

const NEEDS_ROOT =
  "RBS_BROWSER_DISK=disk requires sandboxes and a server started by root, because each browser has its own file system " +
  "on the disk. Start the server as root and outside a container, or set RBS_BROWSER_DISK=memory.";

/** The broker's message about the work folder's disk. */
const FULL_DISK = /The disk of RBS_WORK_DIR is full/;

async function openSandboxes(
  config: Config,
  programs: Programs,
  { clock, log, rights }: PlatformPorts,
): Promise<Sandboxes> {
  const hasOwners = canUseOwnUsers(config.isolation);
  const { areFilesOnDisk, workDir } = config;
  if (areFilesOnDisk && (config.isolation === "none" || !hasOwners)) throw new ConfigError(NEEDS_ROOT);
  if (config.isolation === "none") {
    const root = join(config.workDir, "sandboxes");
    const onStuck = (folder: string, error: unknown): void => log.error("folder.not_removed", { folder, error });
    return newSharedSandboxes({ root, programs, hasOwners, onStuck }, clock);
  }
  const { isRoot, canChangeUser } = readStatus();
  // Browsers without their own user run as the broker's user, which must not be root.
  const user = !hasOwners && isRoot && canChangeUser ? toFreeUser(1) : undefined;
  const machine = readMachine();
  // Browsers without their own users share one user's process limit.
  const tasks = hasOwners ? machine.tasks : Math.min(machine.tasks, machine.tasksOfUser);
  const { browserMemoryBytes: memoryBytes, browserDiskBytes: diskBytes } = config;
  const bounds = toBounds({ ...machine, tasks }, { memoryBytes, diskBytes, areFilesOnDisk });
  const memory = { memoryBytes: machine.memoryBytes, isDiskSet: diskBytes !== undefined };
  const mistakes = [findBoundsMistake(bounds, memory) ?? [], describeExposed([config.dataDir, ...config.files])].flat();
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  const disk = areFilesOnDisk ? { folder: workDir, reservedBytes: RESERVED_DISK_BYTES } : undefined;
  try {
    return await newIsolatedSandboxes({ programs, hasOwners, user, disk, ...bounds }, clock, rights);
  } catch (error) {
    // If the problem isn't just a lack of disk space, the machine doesn't allow sandboxes.
    const blocker = FULL_DISK.test(String(error)) ? undefined : await findSandboxBlocker();
    if (blocker === undefined) throw error;
    throw new Error(`Sandboxes can't be created. ${describeBlocker(blocker)}`, { cause: error });
  }
}

/**
 * Creates fake browsers, whose DevTools support only a few commands, without running Chromium.
 * @param startMs How long a start takes on average.
 */
export function newFakePlatform(startMs = 0): BrowserPlatform {
  return { usesMachine: false, start: async () => new FakeHost(undefined, startMs) };
}
