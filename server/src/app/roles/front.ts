import { randomInt } from "node:crypto";
import { openClusterCertificates } from "../../adapters/tls/cluster-certificates.ts";
import { newWorkerClient } from "../../adapters/worker-http/worker-client.ts";
import { readRequest } from "../../api/request-context.ts";
import type { Config } from "../../config/config.ts";
import type { Cluster } from "../../config/cluster.ts";
import { readWorkerId } from "../../domain/browser/address.ts";
import { Failure } from "../../domain/failure.ts";
import type { WorkerTarget } from "../../ports/browser-client.ts";
import type { ClusterCertificates } from "../../ports/cluster/cluster-certificates.ts";
import { Retention } from "../../services/accounts/retention.ts";
import { KeyedOpens } from "../../services/admission/keyed-opens.ts";
import { orStoreFailure } from "../../services/store/store-failure.ts";
import { Acknowledgements } from "../../services/fleet/acknowledgements.ts";
import { type ClusterFleet, newClusterFleet } from "../../services/fleet/cluster-fleet.ts";
import { ClusterOpens } from "../../services/fleet/cluster-opens.ts";
import { ReportRefresh } from "../../services/fleet/report-refresh.ts";
import { FrontReadiness } from "../../services/health/front-readiness.ts";
import { Placement } from "../../services/placement/placement.ts";
import { Reachability } from "../../services/placement/reachability.ts";
import { WorkerQueue } from "../../services/placement/worker-queue.ts";
import { waitForStore } from "../../services/store/store-wait.ts";
import { Membership } from "../../services/workers/membership.ts";
import { toOpenTimeout, warnOfConnections } from "../compose/capacity.ts";
import type { Ports } from "../compose/ports.ts";
import { type Entrances, isServing, type Running, type ServedServices } from "./role.ts";
import { newUseCases, openFoundation, toWarmDigest } from "./use-cases.ts";

/** Retry delay for clients after a shutdown: the typical restart time. */
const RESTART_S = 10;

/**
 * Starts the services of a front-end: the API and pages for the workers' browsers.
 * @throws {Error} If a folder is already in use, or a folder or the database is unusable.
 */
export async function startFront(
  config: Config,
  { secrets, certificates: files }: Extract<Cluster, { role: "front" }>,
  ports: Ports,
): Promise<ServedServices & Running> {
  await using acquired = new AsyncDisposableStack();
  const { clock, log, metrics } = ports;
  const { plans } = config;
  const certificates = acquired.use(files && (await openClusterCertificates({ ...ports, files, host: undefined })));
  const foundation = acquired.use(await openFoundation(config, ports));
  const { storage, store, events, outbox, queue, newId } = foundation;
  if (store.workers === undefined || store.fleet === undefined) throw new Error("A front-end needs PostgreSQL.");
  const stopping = new AbortController();
  const workers = acquired.use(
    newWorkerClient({ secret: secrets[0] ?? "", certificates, clock, readRequestId: () => readRequest()?.requestId }),
  );
  const placement = new Placement({ clock, random: () => randomInt(2 ** 32) / 2 ** 32 });
  const { workers: registry } = store;
  const look = async (): Promise<void> => placement.update(await registry.list());
  const waiting = new WorkerQueue({ placement, look, clock });
  const membership = new Membership({ registry, clock, log });
  const findRefusal = (): Failure | undefined => membership.refusal;
  const common = { clock, log, metrics, events, placement, workers, findRefusal };
  const opens = new ClusterOpens({
    ...common,
    waiting,
    queue,
    outbox,
    plans,
    store: store.browsers,
    fleetStore: store.fleet,
    accounts: store.accounts,
    newId,
    toWarmDigest,
    openTimeoutMs: toOpenTimeout(config),
    shutdown: stopping.signal,
  });
  const reports = new ReportRefresh({ look, clock, signal: stopping.signal });
  const refreshWorkers = (): Promise<void> => orStoreFailure(waitForStore(clock, () => reports.refresh()));
  const fleet: ClusterFleet = newClusterFleet({
    ...common,
    refreshWorkers,
    opens,
    keyed: new KeyedOpens({
      opens,
      store: store.browsers,
      box: storage.box,
      clock,
      claim: (found) => fleet.claim(found),
    }),
    acknowledgements: acquired.use(new Acknowledgements(common)),
    store: store.fleet,
  });
  acquired.use(new Retention({ ...common, store, days: config.historyDays })).start();
  await acquired.use(membership).start({
    report: () => ({ role: "front", kinds: [], ...foundation.identity, capacity: 0, taken: 0, warm: 0 }),
    // A front-end has no browsers to end, and isn't drained.
    fenceMs: undefined,
    endBrowsers: async () => {},
    isIdle: () => false,
    onWorkers: (all) => placement.update(all),
  });
  const reachability = acquired.use(new Reachability(common));
  reachability.start();
  const warnings = await warnOfConnections(store.workers, config);
  // Workers close disabled accounts' browsers themselves.
  const useCases = newUseCases(foundation, config, ports, fleet, placement, { sweep: async () => {} });
  const readiness = new FrontReadiness({ ...common, store, reachability, signal: stopping.signal });
  const resources = acquired.move();
  return {
    ...useCases,
    countOpen: () => placement.taken,
    capacity: placement,
    pool: {
      get ready() {
        return placement.warm;
      },
    },
    readiness,
    // Its workers may have screens.
    hasScreens: true,
    bounds: undefined,
    shutdown: stopping.signal,
    entrances: newEntrances({ placement, workers, fleet, certificates, refreshWorkers }),
    gauges: () => ({
      ...NO_BROWSERS,
      waitingForPlace: queue.waiting + waiting.waiting,
      queries: useCases.query.load,
      droppedLogLines: log.dropped,
      isReady: isServing(readiness.last),
      reportAgeMs: membership.reportAgeMs,
      fleet: { ...placement.gauges, waiting: waiting.waiting },
    }),
    calls: undefined,
    failed: undefined,
    drained: undefined,
    warnings,
    facts: { role: "front" },
    refuse() {
      const message = "This server is shutting down and can't open browsers. Try again when it has restarted.";
      stopping.abort(new Failure("BrowserUnavailable", message, { retryAfterS: RESTART_S }));
      membership.retire();
    },
    idle: () => opens.idle(),
    async closeAll() {
      await opens.idle();
      await outbox.finish();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** The gauges that describe a server's own browsers. */
const NO_BROWSERS = {
  bounds: undefined,
  ages: [],
  capacity: { limit: 0, taken: 0 },
  open: [],
  warm: 0,
  proxies: { all: 0, serving: 0 },
  launches: { running: 0, waiting: 0 },
  desktops: { started: 0, viewers: 0 },
};

/** Finds the worker that the key in a client's or viewer's address points to. */
function newEntrances({
  placement,
  workers,
  fleet,
  certificates,
  refreshWorkers,
}: {
  readonly placement: Placement;
  readonly workers: ReturnType<typeof newWorkerClient>;
  readonly fleet: ClusterFleet;
  readonly certificates: ClusterCertificates | undefined;
  readonly refreshWorkers: () => Promise<void>;
}): Entrances {
  const findWorker = (key: string): WorkerTarget | undefined => {
    const worker = placement.find(readWorkerId(key) ?? "");
    if (worker === undefined) return undefined;
    const keys = certificates?.current;
    const verify = (signal: AbortSignal): Promise<void> => workers.verify(worker, signal);
    return { id: worker.id, url: new URL(worker.url), isAlive: worker.isAlive, keys, verify };
  };
  return {
    findBrowser: () => undefined,
    findDesktop: () => undefined,
    findWorker,
    refreshWorkers,
    async hasDesktop(key) {
      if (readWorkerId(key) !== undefined && findWorker(key) === undefined) await refreshWorkers();
      const worker = findWorker(key);
      return worker !== undefined && fleet.hasDesktop(worker.id, key);
    },
  };
}
