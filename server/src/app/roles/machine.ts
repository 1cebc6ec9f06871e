import { readFreeBytes } from "../../adapters/linux/linux-machine.ts";
import type { Config } from "../../config/config.ts";
import { ProxyPool } from "../../services/browsers/proxy-pool.ts";
import { Capacity } from "../../services/capacity/capacity.ts";
import { LaunchGate } from "../../services/capacity/launch-gate.ts";
import { ObservedHost } from "../../services/health/readiness.ts";
import { WarmPool } from "../../services/warm/warm-pool.ts";
import { planCapacity, planWarm, toGateLimits, warnOfBounds } from "../compose/capacity.ts";
import type { Ports } from "../compose/ports.ts";
import { usesWorkFolder } from "../compose/storage.ts";

/**
 * Starts the services that run browsers on this machine, and plans its capacity. Disposing ends warm browsers.
 * @param onFree Called when a slot becomes free.
 * @throws {Error} If the work folder can't be used, or `RBS_WARM` exceeds the machine's resources.
 */
export async function startMachine(config: Config, ports: Ports, newId: () => string, onFree: () => void) {
  await using acquired = new AsyncDisposableStack();
  const { clock, log, platform } = ports;
  const host = acquired.use(new ObservedHost(await platform.start(config, ports), clock));
  const { bounds } = host;
  const { limit, warnings } = planCapacity(config, { platform, log, bounds });
  const folders = usesWorkFolder(config) ? [config.dataDir, config.workDir] : [config.dataDir];
  const capacity = new Capacity(limit, clock, () => Math.min(...folders.map(readFreeBytes)), onFree);
  const gate = new LaunchGate(toGateLimits(config), clock);
  const warm = planWarm(config, { platform, installed: host, capacity: limit });
  const pool = acquired.use(new WarmPool({ plan: warm, host, gate, capacity, clock, log, newId }));
  pool.start();
  const proxies = acquired.use(new ProxyPool({ proxies: config.proxies, probe: ports.proxyProbe, clock, log }));
  proxies.start();
  const resources = acquired.move();
  return {
    host,
    capacity,
    gate,
    pool,
    proxies,
    warnings: [...warnings, ...warnOfBounds(config, bounds)],
    /** Facts for the startup log line. */
    facts: {
      isolation: platform.usesMachine ? config.isolation : "fake browsers",
      capacity: limit,
      browserMemoryBytes: bounds?.memoryBytes,
      browserDiskBytes: bounds?.diskBytes,
      hasControlGroups: bounds !== undefined && bounds.withoutGroups === undefined,
      launches: config.launches,
      warm: warm.sets.reduce((sum, { count }) => sum + count, 0),
      autoWarm: warm.auto?.limit ?? 0,
    },
    gauges: () => ({
      bounds,
      ages: [...host.kinds].flatMap((kind) => {
        const builtAt = host.builtAt(kind);
        return builtAt === undefined ? [] : [{ kind, ageMs: clock.now().getTime() - builtAt.getTime() }];
      }),
      capacity: { limit, taken: capacity.taken },
      warm: pool.ready,
      proxies: proxies.health,
      launches: { running: gate.running, waiting: gate.waiting },
    }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
