import { createHash, randomBytes, randomInt } from "node:crypto";
import manifest from "../../package.json" with { type: "json" };
import { readFreeBytes } from "../adapters/linux/linux-machine.ts";
import { newSchemaChecker } from "../adapters/ajv/schema-checker.ts";
import { newPageReducer } from "../adapters/parse5/page-reducer.ts";
import { openServerStorage, usesWorkFolder } from "./storage.ts";
import type { Config } from "../config/config.ts";
import { toPasswords } from "../domain/browser/desktop.ts";
import type { BrowserBounds } from "../domain/browser/bounds.ts";
import { toTimeOrderedId } from "../domain/time-ordered-id.ts";
import type { WarmPlan } from "../domain/browser/warm-set.ts";
import { newAuth, type Auth } from "./auth.ts";
import type { Fleet } from "../ports/fleet.ts";
import type { Gauges } from "../ports/metrics.ts";
import type { Store } from "../ports/store.ts";
import type { Ports } from "./ports.ts";
import { planCapacity, planWarm, toGateLimits, toOpenTimeout, warnOfBounds } from "./capacity.ts";
import type { Plans } from "../domain/account/plan.ts";
import type { Failure } from "../domain/failure.ts";
import type { Accounts } from "../services/accounts/accounts.ts";
import { Attempts } from "../services/accounts/attempts.ts";
import { Retention } from "../services/accounts/retention.ts";
import { Operators } from "../services/accounts/operators.ts";
import { SignIn } from "../services/accounts/sign-in.ts";
import { SuspensionSweep } from "../services/accounts/suspension-sweep.ts";
import { LocalFleet } from "../services/browsers/local-fleet.ts";
import { BrowserRecords } from "../services/browsers/records.ts";
import { Residents } from "../services/browsers/residents.ts";
import { Capacity } from "../services/browsers/capacity.ts";
import { AccountEvents } from "../services/browsers/account-events.ts";
import { Charges } from "../services/browsers/charges.ts";
import { Desktops } from "../services/desktops/desktops.ts";
import { KeyedOpens } from "../services/browsers/keyed-opens.ts";
import { LaunchGate } from "../services/browsers/launch-gate.ts";
import { Outbox } from "../services/browsers/outbox.ts";
import { PlaceQueue } from "../services/browsers/place-queue.ts";
import { Membership } from "../services/workers/membership.ts";
import { newCapturePermits } from "../services/browsers/capture-permits.ts";
import { Screenshots } from "../services/browsers/screenshots.ts";
import { Thumbnails } from "../services/browsers/thumbnails.ts";
import { ProxyPool } from "../services/browsers/proxy-pool.ts";
import { Query } from "../services/query/query.ts";
import { TokenBudget } from "../services/query/token-budget.ts";
import { ObservedHost, Readiness } from "../services/browsers/readiness.ts";
import { Subscriptions } from "../services/accounts/subscriptions.ts";
import { UsageReports } from "../services/accounts/usage-reports.ts";
import { WarmPool } from "../services/browsers/warm-pool.ts";

/** The use cases of a server. Disposing ends the remaining browsers and closes the database. */
export type Services = AsyncDisposable & {
  readonly accounts: Accounts;
  readonly auth: Auth;
  readonly signIn: SignIn;
  readonly operators: Operators;
  readonly subscriptions: Subscriptions;
  readonly reports: UsageReports;
  readonly events: AccountEvents;
  readonly store: Store;
  readonly residents: Residents;
  readonly keyed: KeyedOpens;
  readonly fleet: Fleet;
  readonly records: BrowserRecords;
  readonly desktops: Desktops;
  readonly thumbnails: Thumbnails;
  readonly screenshots: Screenshots;
  /** Aborted when the server begins to shut down. */
  readonly shutdown: AbortSignal;
  readonly query: Query;
  readonly readiness: Readiness;
  readonly capacity: Capacity;
  readonly pool: WarmPool;
  /** What the pool keeps ready. */
  readonly warm: WarmPlan;
  /** What each browser may use; undefined: as much as it wants. */
  readonly bounds: BrowserBounds | undefined;
  /** The current gauge values that services know. */
  readonly gauges: () => Omit<Gauges, "connections">;
  /** Resolves when no browsers can be opened until the next start; undefined if that can't happen. */
  readonly failed: Promise<Error> | undefined;
  /** What the operator should know about this start, one sentence each. */
  readonly warnings: readonly string[];
};

/** A short text that differs between different plans. */
function toDigest(plans: Plans): string {
  const sorted = [...plans.values()].map((plan) => JSON.stringify(plan, Object.keys(plan).toSorted())).toSorted();
  return createHash("sha256").update(sorted.join("\n")).digest("hex").slice(0, 8);
}

/** @throws {Error} When a folder is in use or can't be used, or `RBS_WARM` needs what the machine doesn't have. */
export async function startServices(config: Config, ports: Ports): Promise<Services> {
  await using acquired = new AsyncDisposableStack();
  const { clock, log, metrics, threads } = ports;
  // Ids of browsers are permanent keys of the ledger, so they must never repeat.
  const newId = (): string => `br_${toTimeOrderedId(clock.now(), randomBytes(16))}`;
  const newKey = (): string => randomBytes(24).toString("base64url");
  const { plans } = config;

  const storage = acquired.use(await openServerStorage(config, ports));
  const { accounts, store } = storage;
  const auth = acquired.use(newAuth(storage, config, ports));
  const host = acquired.use(new ObservedHost(await ports.platform.open(config, ports), clock));
  const { bounds } = host;
  const { limit, warnings } = planCapacity(config, { ...ports, bounds });
  const written = usesWorkFolder(config) ? [config.dataDir, config.workDir] : [config.dataDir];
  const capacity = new Capacity(limit, clock, () => Math.min(...written.map(readFreeBytes)));
  const gate = new LaunchGate(toGateLimits(config), clock);
  const warm = planWarm(config, { platform: ports.platform, installed: host, capacity: limit });
  const pool = acquired.use(new WarmPool({ plan: warm, host, gate, capacity, clock, log, newId }));
  pool.start();
  const proxies = acquired.use(new ProxyPool({ proxies: config.proxies, probe: ports.proxyProbe, clock, log }));
  proxies.start();
  const events = new AccountEvents();
  const common = { clock, log, metrics, events };
  const outbox = new Outbox({ clock, log, random: () => randomInt(1000) / 1000 });
  const queue = new PlaceQueue({ clock, store: store.usage });
  const findRefusal = (): Failure | undefined => membership?.refusal;
  const residents = new Residents({
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
  const sweep = acquired.use(new SuspensionSweep({ ...common, store: store.accounts, residents }));
  sweep.start();
  acquired.use(new Retention({ ...common, store, days: config.historyDays })).start();
  const desktops = new Desktops({ residents, log, events, newKey, newPasswords: () => toPasswords(randomInt) });
  const permits = newCapturePermits(clock);
  const thumbnails = new Thumbnails({ clock, log, permits });
  const screenshots = new Screenshots({ log, permits });
  const keyed = new KeyedOpens({ residents, store: store.browsers, box: storage.box, clock });
  const fleet = new LocalFleet({
    residents,
    keyed,
    desktops,
    thumbnails,
    screenshots,
    store: store.browsers,
    plans,
    clock,
  });
  const records = new BrowserRecords({ fleet, store: store.usage, clock, historyDays: config.historyDays });
  const { shutdown } = residents;
  const membership =
    store.workers &&
    acquired.use(
      new Membership({
        registry: store.workers,
        clock,
        log,
        report: () => ({
          version: manifest.version,
          kinds: [...host.kinds],
          plans: toDigest(plans),
          capacity: limit,
          taken: capacity.taken,
          warm: pool.ready,
        }),
        fenceMs: config.database?.fenceMs,
        endBrowsers: () => residents.closeOpen("shutdown"),
      }),
    );
  await membership?.start();
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

  const { ai } = config;
  const query = new Query({
    ...common,
    ...ai,
    model: ports.model,
    pages: newPageReducer(threads),
    schemas: newSchemaChecker(threads),
    newMark: () => randomBytes(12).toString("hex"),
    budget: new TokenBudget({
      store: store.queries,
      clock,
      log,
      perAccount: ai.accountTokensPerDay,
      perDeployment: ai.tokensPerDay,
    }),
    credentialOf: (account) => auth.providerKeys.find(account),
  });

  const resources = acquired.move();
  return {
    accounts,
    auth,
    signIn: new SignIn({
      store: store.accounts,
      accounts,
      sessions: auth.sessions,
      attempts: new Attempts({}, store.attempts),
      fleet,
      hasher: ports.hasher,
      randomBytes,
      log,
    }),
    operators: new Operators({ ...common, ...store, accounts, store: store.accounts, sweep, fleet }),
    subscriptions: new Subscriptions({ ...common, store: store.accounts, usage: store.usage, plans }),
    reports: new UsageReports({ store: store.usage, plans, capacity, clock }),
    events,
    store,
    residents,
    keyed,
    fleet,
    records,
    desktops,
    thumbnails,
    screenshots,
    shutdown,
    query,
    readiness,
    capacity,
    pool,
    warm,
    bounds,
    gauges: () => ({
      bounds,
      ages: [...host.kinds].flatMap((kind) => {
        const builtAt = host.builtAt(kind);
        return builtAt === undefined ? [] : [{ kind, ageMs: clock.now().getTime() - builtAt.getTime() }];
      }),
      capacity: { limit, taken: capacity.taken },
      open: residents.all(),
      warm: pool.ready,
      proxies: proxies.health,
      waitingForPlace: queue.waiting + capacity.waiting,
      launches: { running: gate.running, waiting: gate.waiting },
      desktops: { started: desktops.count, viewers: desktops.viewers },
      queries: query.load,
      droppedLogLines: log.dropped,
    }),
    failed: host.failed,
    warnings: [...warnings, ...warnOfBounds(config, bounds)],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
