import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { sandboxes } from "../../src/adapters/broker/sandboxes.ts";
import { withoutSandboxes } from "../../src/adapters/broker/without-sandboxes.ts";
import { ChromiumHost, type ChromiumOptions } from "../../src/adapters/chromium/chromium-host.ts";
import { findExecutables } from "../../src/adapters/chromium/executables.ts";
import { systemClock } from "../../src/adapters/system-clock/system-clock.ts";
import { WorkerThreads } from "../../src/adapters/worker-threads/worker-threads.ts";
import { xvncDisplays } from "../../src/adapters/xvnc/xvnc.ts";
import type { HostedBrowser } from "../../src/ports/browser-host.ts";
import type { Displays } from "../../src/ports/display.ts";
import type { Egress } from "../../src/ports/egress.ts";
import type { Sandboxes } from "../../src/ports/sandboxes.ts";
import { type DevtoolsClient, connectDevtools } from "./devtools-client.ts";

export type Place = "jail" | "unconfined";
export const PLACES: readonly Place[] = ["jail", "unconfined"];

export const NEVER = new AbortController().signal;
export const LAUNCH_TIMEOUT_MS = 30_000;

/** A folder that the users of cells can pass through, with a name short enough for sockets. */
export type WorkFolder = Disposable & { readonly path: string };

export function openWorkFolder(): WorkFolder {
  const path = mkdtempSync("/var/tmp/rbs-cells-");
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }) };
}

export function isolate(place: Place, root: string, hasOwners = process.getuid?.() === 0): Sandboxes {
  return place === "jail" ? sandboxes({ root, hasOwners }) : withoutSandboxes({ root, hasOwners });
}

/** As large as the product's. */
export const SCREEN = { width: 1920, height: 1080 };

export function displays(command = "Xvnc", startTimeoutMs = LAUNCH_TIMEOUT_MS): Displays {
  const threads = new WorkerThreads({ atOnce: 1, clock: systemClock });
  return xvncDisplays({ command, ...SCREEN, startTimeoutMs, randomBytes, threads });
}

/** The real host of browsers; its cells lie below `root`. */
export async function openRealHost(
  place: Place,
  root: string,
  egress: Egress,
  changes: Partial<ChromiumOptions> = {},
): Promise<ChromiumHost> {
  const isolation = isolate(place, root);
  await isolation.prepare();
  return new ChromiumHost({
    executables: findExecutables(),
    isolation,
    displays: displays(),
    screen: SCREEN,
    egress,
    clock: systemClock,
    launchTimeoutMs: LAUNCH_TIMEOUT_MS,
    ...changes,
  });
}

/** What a spec says when a test does not care. */
export const STEALTHY = {
  kind: "chromium",
  isHeadless: true,
  isStealthy: true,
  switches: [],
  ignoredSwitches: [],
  proxy: undefined,
} as const;

/** A DevTools client on a connection of the browser's own. */
export async function drive(browser: HostedBrowser): Promise<DevtoolsClient> {
  const socket = await browser.connect(NEVER);
  return connectDevtools(`ws://127.0.0.1${browser.devtoolsPath}`, { createConnection: () => socket });
}
