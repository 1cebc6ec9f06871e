import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { getuid } from "node:process";
import { brokerSandboxes } from "../adapters/broker/sandboxes.ts";
import { ChromiumHost } from "../adapters/chromium/chromium-host.ts";
import { findExecutables } from "../adapters/chromium/executables.ts";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import { createEgress } from "../adapters/egress-proxy/egress.ts";
import { WorkerThreads } from "../adapters/worker-threads/worker-threads.ts";
import { xvncDisplays } from "../adapters/xvnc/xvnc.ts";
import type { Config } from "../config/config.ts";
import type { BrowserHost } from "../ports/browser-host.ts";
import type { Log } from "../ports/log.ts";

const SCREEN = { width: 1920, height: 1080 };

/** Pictures of screens that are made small at the same time; each keeps a core busy for 0.1 s. */
const PICTURE_THREADS = 1;

/** The host of real browsers; what a killed server left in its folder is removed first. */
export async function openBrowserHost(config: Config, log: Log): Promise<BrowserHost> {
  const sandboxes = brokerSandboxes({
    root: join(config.workDir, "sandboxes"),
    hasOwners: getuid?.() === 0,
    isIsolated: config.isolation === "jail",
    clock: systemClock,
  });
  await sandboxes.prepare();
  const startTimeoutMs = config.launchTimeoutMs;
  const threads = new WorkerThreads({ atOnce: PICTURE_THREADS, clock: systemClock });
  return new ChromiumHost({
    executables: findExecutables(),
    sandboxes,
    displays: xvncDisplays({ command: "Xvnc", ...SCREEN, startTimeoutMs, randomBytes, threads }),
    screen: SCREEN,
    egress: createEgress({ policy: config.egress, operatorProxies: config.proxies, log }),
    clock: systemClock,
    launchTimeoutMs: config.launchTimeoutMs,
  });
}
