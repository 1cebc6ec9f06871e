import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { newBrokerSandboxes } from "../adapters/broker/sandboxes.ts";
import { ChromiumHost } from "../adapters/chromium/chromium-host.ts";
import { findExecutables, toBrowserPrograms } from "../adapters/chromium/executables.ts";
import { newEgress } from "../adapters/egress-proxy/egress.ts";
import { FakeHost } from "../adapters/fake-browser/fake-host.ts";
import { canUseOwnUsers, readStatus } from "../adapters/linux/status.ts";
import { toFreeUser } from "../adapters/linux/user.ts";
import { WorkerThreads } from "../adapters/worker-threads/worker-threads.ts";
import { newXvncDisplays, toScreenProgram } from "../adapters/xvnc/xvnc.ts";
import type { Config } from "../config/config.ts";
import type { BrowserHost } from "../ports/browser-host.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Rights } from "../ports/rights.ts";

const SCREEN = { width: 1920, height: 1080 };

/** How many screens are scaled down to thumbnails at the same time; each keeps a core busy for 0.1 s. */
const THUMBNAIL_THREADS = 1;

/** The browsers that a server opens. */
export type BrowserPlatform = {
  /** Whether browsers need memory, processes and displays of the machine. */
  readonly usesMachine: boolean;
  /** @throws {Error} When the work folder can't be used. */
  open(
    config: Config,
    adapters: { readonly clock: Clock; readonly log: Log; readonly rights: Rights },
  ): Promise<BrowserHost>;
};

/** Chromium, in sandboxes unless `RBS_ISOLATION` says otherwise. Opening it removes what a killed server left behind. */
export const chromiumPlatform: BrowserPlatform = {
  usesMachine: true,
  async open(config, { clock, log, rights }) {
    const hasOwners = canUseOwnUsers(config.isolation);
    const { isRoot, canChangeUser } = readStatus();
    const executables = findExecutables();
    const sandboxes = await newBrokerSandboxes({
      programs: { ...toBrowserPrograms(executables), ...toScreenProgram() },
      root: join(config.workDir, "sandboxes"),
      hasOwners,
      // Without users of their own, browsers have the broker's. That must not be root.
      user: !hasOwners && isRoot && canChangeUser ? toFreeUser(1) : undefined,
      isIsolated: config.isolation === "sandbox",
      onStuck: (folder, error) => log.error("folder.not_removed", { folder, error }),
      clock,
      rights,
    });
    const startTimeoutMs = config.launchTimeoutMs;
    const threads = new WorkerThreads({ atOnce: THUMBNAIL_THREADS, clock });
    return new ChromiumHost({
      executables,
      sandboxes,
      displays: newXvncDisplays({ ...SCREEN, startTimeoutMs, randomBytes, threads }),
      screen: SCREEN,
      egress: newEgress({ policy: config.egress, operatorProxies: config.proxies, log }),
      clock,
      launchTimeoutMs: config.launchTimeoutMs,
    });
  },
};

/** Fake browsers: no Chromium runs, and DevTools answers only a few commands. */
export const fakePlatform: BrowserPlatform = {
  usesMachine: false,
  open: async () => new FakeHost(),
};
