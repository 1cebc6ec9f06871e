import { readFreeBytes, readMachine } from "../../adapters/linux/linux-machine.ts";
import { canUseOwnUsers } from "../../adapters/linux/status.ts";
import { type Config, ConfigError } from "../../config/config.ts";
import {
  type DiskFacts,
  countBrowsers,
  countIdleBrowsers,
  describeShortage,
  findShortages,
  toResourceLimits,
  toDefaultCapacity,
} from "../../domain/machine/machine.ts";
import type { BrowserBounds } from "../../domain/machine/bounds.ts";
import type { Installed } from "../../domain/browser/browser-kind.ts";
import { type WarmPlan, findWarmMistakes, toAutoPlan } from "../../domain/warm/warm-set.ts";
import type { BrowserHost } from "../../ports/browser-host.ts";
import type { Role, ServerRegistry } from "../../ports/cluster/server-registry.ts";
import type { Log } from "../../ports/log.ts";
import type { GateLimits } from "../../services/capacity/launch-gate.ts";
import type { BrowserPlatform } from "./browser-host.ts";

type UsesMachine = Pick<BrowserPlatform, "usesMachine">;

/** Maximum number of waiting Open requests per concurrent launch: about as many as can start within `MAX_WAIT_MS`. */
const QUEUED_PER_LAUNCH = 16;
const MAX_WAIT_MS = 25_000;

/**
 * Decides how many browsers may be open at the same time: the operator's setting, or as many as the machine can run.
 * @returns Warnings for the operator if the setting exceeds the machine's resources.
 */
export function planCapacity(
  config: Config,
  { platform, log, bounds }: { readonly platform: UsesMachine; readonly log: Log } & Pick<BrowserHost, "bounds">,
): { readonly limit: number; readonly warnings: readonly string[] } {
  const isolation = { isSandboxed: config.isolation === "sandbox", hasOwners: canUseOwnUsers(config.isolation) };
  const disk = bounds?.areFilesOnDisk === true ? readDisk(config, bounds) : undefined;
  const resources = toResourceLimits(readMachine(), isolation, disk);
  if (config.capacity === undefined) return { limit: toDefaultCapacity(resources), warnings: [] };
  const limit = config.capacity;
  const shortages = platform.usesMachine ? findShortages(resources, limit) : [];
  for (const shortage of shortages) {
    const { resource, has, each } = shortage;
    log.warn("capacity.short", { capacity: limit, enoughFor: countBrowsers(shortage), resource, has, each });
  }
  return { limit, warnings: shortages.map((shortage) => describeShortage(shortage, limit)) };
}

/** The server prepares sandboxes for three kinds of headless and two kinds of graphical browsers. */
const PREPARED_KINDS = 5;

function readDisk({ workDir, spareSandboxes }: Config, { diskBytes }: BrowserBounds): DiskFacts {
  return { freeBytes: readFreeBytes(workDir), eachBytes: diskBytes, spares: spareSandboxes * PREPARED_KINDS };
}

/** Returns warnings for the operator if browser limits aren't enforced, or are enforced without control groups. */
export function warnOfBounds({ publicUrl, isolation }: Config, bounds: BrowserBounds | undefined): readonly string[] {
  if (isolation === "none" && publicUrl !== undefined) {
    return [
      "RBS_PUBLIC_URL is set, but RBS_ISOLATION=none: any page can use all of this machine's memory, disk and processors, " +
        "and close every other browser. Don't let anyone else use this server.",
    ];
  }
  if (bounds?.withoutGroups === undefined) return [];
  return [
    `The server can't use control groups: ${bounds.withoutGroups}. Instead, it checks browsers' memory once a second, ` +
      "and a busy browser can slow down the others (docs/settings.md#limits-of-a-browser).",
  ];
}

/** Returns the PostgreSQL pool size. PostgreSQL is faster with few connections, and workers serve fewer requests. */
export function toPoolSize(role: Role = "all"): number {
  return role === "worker" ? 4 : 6;
}

/** Returns a warning for the operator if PostgreSQL accepts fewer connections than the servers that use it may open. */
export async function warnOfConnections(
  registry: Pick<ServerRegistry, "list" | "connectionLimit">,
  { database }: Pick<Config, "database">,
): Promise<readonly string[]> {
  // A connection pooler shares its connections between servers.
  if (database === undefined || database.directUrl !== database.url) return [];
  const servers = (await registry.list()).filter(({ isAlive }) => isAlive);
  // A server with pages uses one more connection to listen for other servers' notifications.
  const needed = servers.reduce((sum, { role }) => sum + toPoolSize(role) + (role === "worker" ? 0 : 1), 0);
  const limit = await registry.connectionLimit();
  if (needed <= limit) return [];
  return [
    `The ${servers.length} servers that use this database may open ${needed} connections, but PostgreSQL accepts only ${limit}. ` +
      "Raise its max_connections, or put PgBouncer in front of it (docs/storage.md#use-postgresql).",
  ];
}

/** @throws {ConfigError} If `RBS_WARM` needs a browser that isn't installed, or more browsers than the capacity. */
export function planWarm(
  { warm: { sets, isAuto }, isolation }: Config,
  machine: { readonly platform: UsesMachine; readonly installed: Installed; readonly capacity: number },
): WarmPlan {
  const { platform, installed, capacity } = machine;
  const mistakes = findWarmMistakes(sets, capacity, installed);
  if (mistakes.length > 0) throw new ConfigError(mistakes.join("\n"));
  if (!isAuto || !platform.usesMachine) return { sets, auto: undefined };
  const idle = countIdleBrowsers(readMachine());
  return { sets, auto: toAutoPlan({ capacity, idle, installed, isSandboxed: isolation === "sandbox" }) };
}

export function toGateLimits({ launches }: Config): GateLimits {
  return { atOnce: launches, maxQueued: launches * QUEUED_PER_LAUNCH, maxWaitMs: MAX_WAIT_MS };
}

/** Returns the Open timeout in ms. The default is under a minute, after which many clients and proxies give up. */
export function toOpenTimeout({ launchTimeoutMs }: Config): number {
  return MAX_WAIT_MS + launchTimeoutMs;
}
