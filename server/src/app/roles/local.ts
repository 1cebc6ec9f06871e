import { randomInt } from "node:crypto";
import { toNotedTime } from "../compose/storage.ts";
import type { Config } from "../../config/config.ts";
import { toPasswords } from "../../domain/browser/desktop.ts";
import type { Ports } from "../compose/ports.ts";
import { isServing, type Running, type ServedServices } from "./role.ts";
import { startWorkerCalls } from "./worker-calls.ts";
import { toOpenTimeout, warnOfConnections } from "../compose/capacity.ts";
import { startMachine } from "./machine.ts";
import type { Failure } from "../../domain/failure.ts";
import { Retention } from "../../services/accounts/retention.ts";
import { SuspensionSweep } from "../../services/operators/suspension-sweep.ts";
import { newLocalFleet } from "../../services/fleet/local-fleet.ts";
import { LocalBrowsers } from "../../services/browsers/local-browsers.ts";
import type { Capacity } from "../../services/capacity/capacity.ts";
import { Charges } from "../../services/records/charges.ts";
import { Desktops } from "../../services/desktops/desktops.ts";
import { KeyedOpens } from "../../services/admission/keyed-opens.ts";
import { ClockWatch } from "../../services/health/clock-watch.ts";
import { Membership } from "../../services/workers/membership.ts";
import { newCapturePermits } from "../../services/pictures/capture-permits.ts";
import { Screenshots } from "../../services/pictures/screenshots.ts";
import { Thumbnails } from "../../services/pictures/thumbnails.ts";
import { Readiness } from "../../services/health/readiness.ts";
import type { WarmPool } from "../../services/warm/warm-pool.ts";
import { newUseCases, openFoundation, toWarmDigest } from "./use-cases.ts";

/** Adds `entrances` and `countOpen` for a server that runs browsers. */
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

/** The services of a server that runs browsers. */
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
 * Starts the services of a server that runs browsers.
 * @throws {Error} If a folder is in use or can't be used, or `RBS_WARM` exceeds the machine's resources.
 */
export async function startLocal(config: Config, ports: Ports): Promise<Services> {
  await using acquired = new AsyncDisposableStack();
  const { clock, log, metrics } = ports;
  const { plans, cluster } = config;
  const foundation = acquired.use(await openFoundation(config, ports));
  const { storage, store, events, outbox, queue, newId, newKey } = foundation;
  const membership = store.workers && new Membership({ registry: store.workers, clock, log });
  const machine = acquired.use(
    await startMachine(config, ports, newId, () => {
      if (cluster?.role === "worker") membership?.noteFree();
    }),
  );
  const { host, gate, pool, proxies, capacity } = machine;
  const ownClock =
    store.workers === undefined ? acquired.use(new ClockWatch({ noted: toNotedTime(config), clock, log })) : undefined;
  await ownClock?.start();
  const findRefusal = (): Failure | undefined => (membership ?? ownClock)?.refusal;
  const common = { clock, log, metrics, events };
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
  const permits = newCapturePermits(clock);
  const browsers = {
    localBrowsers,
    keyed: new KeyedOpens({ opens: localBrowsers, store: store.browsers, box: storage.box, clock }),
    desktops: new Desktops({ localBrowsers, log, events, newKey, newPasswords: () => toPasswords(randomInt) }),
    thumbnails: new Thumbnails({ clock, log, permits }),
    screenshots: new Screenshots({ log, permits }),
  };
  const { desktops } = browsers;
  const fleet = newLocalFleet({ ...browsers, store: store.browsers, plans, clock });
  if (membership !== undefined) {
    await acquired.use(membership).start({
      report: () => ({
        role: cluster?.role ?? "all",
        url: cluster?.role === "worker" ? cluster.url.href : undefined,
        kinds: [...host.kinds],
        ...foundation.identity,
        capacity: capacity.limit,
        taken: capacity.taken,
        warm: pool.ready,
        warmSets: toWarmSets(pool),
      }),
      fenceMs: config.database?.fenceMs,
      endBrowsers: () => localBrowsers.closeOpen("shutdown"),
      // The server stays a member until it is idle: after leaving, it can't record that its browsers ended.
      isIdle: () => localBrowsers.isIdle && outbox.isEmpty,
    });
  }
  const ofConnections = store.workers === undefined ? [] : await warnOfConnections(store.workers, config);
  const calls = startWorkerCalls(cluster, foundation, { fleet, localBrowsers, desktops }, ports, acquired);
  const { shutdown } = localBrowsers;
  const readiness = new Readiness({
    store,
    host,
    gate,
    pool,
    capacity,
    clock,
    newId,
    log,
    signal: shutdown,
    findRefusal,
  });
  const useCases = newUseCases(foundation, config, ports, fleet, capacity, sweep);
  const resources = acquired.move();
  return {
    ...useCases,
    ...browsers,
    calls,
    shutdown,
    readiness,
    capacity,
    pool,
    hasScreens: host.isHeadlessOnly !== true,
    bounds: host.bounds,
    gauges: () => ({
      ...machine.gauges(),
      open: localBrowsers.all(),
      waitingForPlace: queue.waiting + capacity.waiting,
      desktops: { started: desktops.count, viewers: desktops.viewers },
      queries: useCases.query.load,
      droppedLogLines: log.dropped,
      isReady: isServing(readiness.last),
      reportAgeMs: membership?.reportAgeMs,
      fleet: undefined,
    }),
    failed: host.failed,
    drained: membership?.drained,
    warnings: [...machine.warnings, ...ofConnections],
    facts: machine.facts,
    refuse() {
      localBrowsers.refuse();
      membership?.retire();
      // Close the warm browsers without delaying the drain: no Open request will use them.
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

/** Counts the warm browsers that are ready, by the digest of their options. */
function toWarmSets(pool: WarmPool): Readonly<Record<string, number>> {
  return Object.fromEntries(pool.readySets.map(({ options, count }) => [toWarmDigest(options), count]));
}
