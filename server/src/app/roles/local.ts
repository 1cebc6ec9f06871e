import { randomInt } from "node:crypto";
import { readFreeBytes } from "../../adapters/linux/linux-machine.ts";
import { toNotedTime, usesWorkFolder } from "../compose/storage.ts";
import type { Config } from "../../config/config.ts";
import { toPasswords } from "../../domain/browser/desktop.ts";
import type { Ports } from "../compose/ports.ts";
import { isServing, type Running, type ServedServices } from "./role.ts";
import { startWorkerCalls } from "./worker-calls.ts";
import {
  planCapacity,
  planWarm,
  toGateLimits,
  toOpenTimeout,
  warnOfBounds,
  warnOfConnections,
} from "../compose/capacity.ts";
import type { Failure } from "../../domain/failure.ts";
import { Retention } from "../../services/accounts/retention.ts";
import { SuspensionSweep } from "../../services/operators/suspension-sweep.ts";
import { newLocalFleet } from "../../services/fleet/local-fleet.ts";
import { LocalBrowsers } from "../../services/browsers/local-browsers.ts";
import { Capacity } from "../../services/capacity/capacity.ts";
import { Charges } from "../../services/records/charges.ts";
import { Desktops } from "../../services/desktops/desktops.ts";
import { KeyedOpens } from "../../services/admission/keyed-opens.ts";
import { LaunchGate } from "../../services/capacity/launch-gate.ts";
import { ClockWatch } from "../../services/health/clock-watch.ts";
import { Membership } from "../../services/workers/membership.ts";
import { newCapturePermits } from "../../services/pictures/capture-permits.ts";
import { Screenshots } from "../../services/pictures/screenshots.ts";
import { Thumbnails } from "../../services/pictures/thumbnails.ts";
import { ProxyPool } from "../../services/browsers/proxy-pool.ts";
import { ObservedHost, Readiness } from "../../services/health/readiness.ts";
import { WarmPool } from "../../services/warm/warm-pool.ts";
import { newUseCases, openFoundation, toWarmDigest } from "./use-cases.ts";

/** What a server with browsers of its own serves. */
export function toServed<Own extends Services>(services: Own): Own & Pick<ServedServices, "entrances" | "countOpen"> {
  const { localBrowsers, desktops } = services;
  return {
    ...services,
    countOpen: () => localBrowsers.count,
    entrances: {
      findBrowser: (key) => localBrowsers.findByKey(key),
      findDesktop: (key) => desktops.findByKey(key),
      findWorker: () => undefined,
      hasDesktop: (key) => desktops.findByKey(key) !== undefined,
    },
  };
}

/** The services of a server with browsers of its own. */
export type Services = Omit<ServedServices, "entrances" | "countOpen"> &
  Running & {
    readonly localBrowsers: LocalBrowsers;
    readonly keyed: KeyedOpens;
    readonly desktops: Desktops;
    readonly thumbnails: Thumbnails;
    readonly screenshots: Screenshots;
    readonly capacity: Capacity;
    readonly pool: WarmPool;
    readonly readiness: Readiness;
  };

/**
 * Starts the services of a server with browsers of its own.
 * @throws {Error} When a folder is in use or can't be used, or `RBS_WARM` needs what the machine doesn't have.
 */
export async function startLocal(config: Config, ports: Ports): Promise<Services> {
  await using acquired = new AsyncDisposableStack();
  const { clock, log, metrics } = ports;
  const { plans, cluster } = config;
  const foundation = acquired.use(await openFoundation(config, ports));
  const { storage, store, events, outbox, queue, newId, newKey } = foundation;
  const membership = store.workers && new Membership({ registry: store.workers, clock, log });
  const host = acquired.use(new ObservedHost(await ports.platform.start(config, ports), clock));
  const { bounds } = host;
  const { limit, warnings } = planCapacity(config, { ...ports, bounds });
  const written = usesWorkFolder(config) ? [config.dataDir, config.workDir] : [config.dataDir];
  const readFree = (): number => Math.min(...written.map(readFreeBytes));
  const capacity = new Capacity(limit, clock, readFree, () => {
    if (cluster?.role === "worker") membership?.noteFree();
  });
  const gate = new LaunchGate(toGateLimits(config), clock);
  const warm = planWarm(config, { platform: ports.platform, installed: host, capacity: limit });
  const pool = acquired.use(new WarmPool({ plan: warm, host, gate, capacity, clock, log, newId }));
  pool.start();
  const proxies = acquired.use(new ProxyPool({ proxies: config.proxies, probe: ports.proxyProbe, clock, log }));
  proxies.start();
  const common = { clock, log, metrics, events };
  const ownClock =
    store.workers === undefined ? acquired.use(new ClockWatch({ noted: toNotedTime(config), clock, log })) : undefined;
  await ownClock?.start();
  const findRefusal = (): Failure | undefined => (membership ?? ownClock)?.refusal;
  const localBrowsers = new LocalBrowsers({
    ...common,
    host,
    gate,
    pool,
    proxies,
    store: store.browsers,
    accounts: store.accounts,
    plans,
    capacity,
    queue,
    findRefusal,
    outbox,
    charges: new Charges({ ...common, store: store.browsers, outbox }),
    openTimeoutMs: toOpenTimeout(config),
    newId,
    newKey,
  });
  const sweep = acquired.use(new SuspensionSweep({ ...common, store: store.accounts, localBrowsers }));
  sweep.start();
  acquired.use(new Retention({ ...common, store, days: config.historyDays })).start();
  const desktops = new Desktops({ localBrowsers, log, events, newKey, newPasswords: () => toPasswords(randomInt) });
  const permits = newCapturePermits(clock);
  const thumbnails = new Thumbnails({ clock, log, permits });
  const screenshots = new Screenshots({ log, permits });
  const keyed = new KeyedOpens({ opens: localBrowsers, store: store.browsers, box: storage.box, clock });
  const fleet = newLocalFleet({
    localBrowsers,
    keyed,
    desktops,
    thumbnails,
    screenshots,
    store: store.browsers,
    plans,
    clock,
  });
  if (membership !== undefined) {
    await acquired.use(membership).start({
      report: () => ({
        role: cluster?.role ?? "all",
        url: cluster?.role === "worker" ? cluster.url.href : undefined,
        kinds: [...host.kinds],
        ...foundation.identity,
        capacity: limit,
        taken: capacity.taken,
        warm: pool.ready,
        warmSets: toWarmSets(pool),
      }),
      fenceMs: config.database?.fenceMs,
      endBrowsers: () => localBrowsers.closeOpen("shutdown"),
      // After it has left, it can't write the ends of its browsers any more.
      isIdle: () => localBrowsers.isIdle && outbox.isEmpty,
    });
  }
  const ofConnections = store.workers === undefined ? [] : await warnOfConnections(store.workers, config);
  const own = { cluster, store, outbox, events, fleet, localBrowsers, desktops, clock, log };
  const calls = startWorkerCalls(own, acquired);
  const readiness = new Readiness({
    store,
    host,
    gate,
    pool,
    capacity,
    clock,
    newId,
    log,
    signal: localBrowsers.shutdown,
    findRefusal,
  });
  const useCases = newUseCases(foundation, config, ports, { fleet, capacity, sweep });
  const resources = acquired.move();
  return {
    ...useCases,
    localBrowsers,
    keyed,
    desktops,
    thumbnails,
    screenshots,
    calls,
    shutdown: localBrowsers.shutdown,
    readiness,
    capacity,
    pool,
    bounds,
    gauges: () => ({
      bounds,
      ages: [...host.kinds].flatMap((kind) => {
        const builtAt = host.builtAt(kind);
        return builtAt === undefined ? [] : [{ kind, ageMs: clock.now().getTime() - builtAt.getTime() }];
      }),
      capacity: { limit, taken: capacity.taken },
      open: localBrowsers.all(),
      warm: pool.ready,
      proxies: proxies.health,
      waitingForPlace: queue.waiting + capacity.waiting,
      launches: { running: gate.running, waiting: gate.waiting },
      desktops: { started: desktops.count, viewers: desktops.viewers },
      queries: useCases.query.load,
      droppedLogLines: log.dropped,
      isReady: isServing(readiness.last),
      reportAgeMs: membership?.reportAgeMs,
      fleet: undefined,
    }),
    failed: host.failed,
    drained: membership?.drained,
    warnings: [...warnings, ...warnOfBounds(config, bounds), ...ofConnections],
    facts: {
      isolation: ports.platform.usesMachine ? config.isolation : "fake browsers",
      capacity: capacity.limit,
      browserMemoryBytes: bounds?.memoryBytes,
      browserDiskBytes: bounds?.diskBytes,
      hasControlGroups: bounds !== undefined && bounds.withoutGroups === undefined,
      launches: config.launches,
      warm: warm.sets.reduce((sum, { count }) => sum + count, 0),
      autoWarm: warm.auto?.limit ?? 0,
    },
    refuse() {
      localBrowsers.refuse();
      membership?.retire();
      // No Open will take a warm browser any more. The drain doesn't wait until they have ended.
      void pool[Symbol.asyncDispose]();
    },
    idle: () => localBrowsers.idle(),
    async closeAll() {
      await localBrowsers.closeAll("shutdown");
      await outbox.finish();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** How many warm browsers are ready for which options. */
function toWarmSets(pool: WarmPool): Readonly<Record<string, number>> {
  return Object.fromEntries(pool.readySets.map(({ options, count }) => [toWarmDigest(options), count]));
}
