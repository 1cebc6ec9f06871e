import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { newBrokerSandboxes } from "../../src/adapters/broker/sandboxes.ts";
import { ChromiumHost, type ChromiumOptions } from "../../src/adapters/chromium/chromium-host.ts";
import { findExecutables } from "../../src/adapters/chromium/executables.ts";
import { systemClock } from "../../src/adapters/system-clock/system-clock.ts";
import { WorkerThreads } from "../../src/adapters/worker-threads/worker-threads.ts";
import { newXvncDisplays } from "../../src/adapters/xvnc/xvnc.ts";
import type { HostedBrowser } from "../../src/ports/browser-host.ts";
import type { Displays } from "../../src/ports/display.ts";
import type { Egress } from "../../src/ports/egress.ts";
import type { Sandboxes } from "../../src/ports/sandboxes.ts";
import { type DevtoolsClient, connectDevtools } from "./devtools-client.ts";

/** In bubblewrap, or directly on the host. */
export type Isolation = "sandbox" | "none";
export const ISOLATIONS: readonly Isolation[] = ["sandbox", "none"];

export const NEVER = new AbortController().signal;
export const LAUNCH_TIMEOUT_MS = 30_000;

/** A folder that the users of sandboxes can pass through, with a path short enough for sockets. */
export type WorkFolder = Disposable & { readonly path: string };

export function openWorkFolder(): WorkFolder {
  const path = mkdtempSync("/var/tmp/rbs-work-");
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
}

export function newSandboxes(isolation: Isolation, root: string): Promise<Sandboxes> {
  const hasOwners = process.getuid?.() === 0;
  return newBrokerSandboxes({ root, hasOwners, isIsolated: isolation === "sandbox", clock: systemClock, onStuck() {} });
}

/** The size that the product uses. */
export const SCREEN = { width: 1920, height: 1080 };

export function displays(command = "Xvnc", startTimeoutMs = LAUNCH_TIMEOUT_MS): Displays {
  const threads = new WorkerThreads({ atOnce: 1, clock: systemClock });
  return newXvncDisplays({ command, ...SCREEN, startTimeoutMs, randomBytes, threads });
}

/** The real browser host. Its sandbox folders lie in `root`. */
export async function openRealHost(
  isolation: Isolation,
  root: string,
  egress: Egress,
  changes: Partial<ChromiumOptions> = {},
): Promise<ChromiumHost> {
  const sandboxes = changes.sandboxes ?? (await newSandboxes(isolation, root));
  return new ChromiumHost({
    executables: findExecutables(),
    displays: displays(),
    screen: SCREEN,
    egress,
    clock: systemClock,
    launchTimeoutMs: LAUNCH_TIMEOUT_MS,
    ...changes,
    sandboxes,
  });
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

/** A DevTools client on a new connection to the browser. */
export async function drive(browser: HostedBrowser): Promise<DevtoolsClient> {
  const socket = await browser.connect(NEVER);
  return connectDevtools(`ws://127.0.0.1${browser.devtoolsPath}`, { createConnection: () => socket });
}
