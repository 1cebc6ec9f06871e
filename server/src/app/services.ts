import { randomBytes, randomInt } from "node:crypto";
import { lazyModel } from "../adapters/anthropic/lazy-model.ts";
import { schemaChecker } from "../adapters/ajv/schema-checker.ts";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import { FakeHost } from "../adapters/fake-browser/fake-host.ts";
import { pageReducer } from "../adapters/parse5/page-reducer.ts";
import { createProxyProbe } from "../adapters/egress-proxy/egress.ts";
import { WorkerThreads } from "../adapters/worker-threads/worker-threads.ts";
import { openServerStorage } from "./storage.ts";
import type { Config } from "../config/config.ts";
import { toPasswords } from "../domain/browser/desktop.ts";
import { openBrowserHost } from "./browser-host.ts";
import type { Log } from "../ports/log.ts";
import { newAuth, type Auth } from "./auth.ts";
import type { Gauges, Metrics } from "../ports/metrics.ts";
import type { Store } from "../ports/store.ts";
import { planCapacity, planWarmSets, toGateLimits } from "./capacity.ts";
import { AccountDesk } from "../services/accounts/account-desk.ts";
import { AccountRemoval } from "../services/accounts/account-removal.ts";
import type { Accounts } from "../services/accounts/accounts.ts";
import { SuspensionSweep } from "../services/accounts/suspension-sweep.ts";
import { Browsers } from "../services/browsers/browsers.ts";
import { Capacity } from "../services/browsers/capacity.ts";
import { AccountEvents } from "../services/browsers/account-events.ts";
import { Desktops } from "../services/desktops/desktops.ts";
import { LaunchGate } from "../services/browsers/launch-gate.ts";
import { Thumbnails } from "../services/browsers/thumbnails.ts";
import { ProxyPool } from "../services/browsers/proxy-pool.ts";
import { Query } from "../services/query/query.ts";
import { Readiness } from "../services/browsers/readiness.ts";
import { Subscriptions } from "../services/accounts/subscriptions.ts";
import { UsageReports } from "../services/accounts/usage-reports.ts";
import { WarmPool } from "../services/browsers/warm-pool.ts";

/** Pages of Queries that are read at the same time; each keeps a core busy for up to half a second. */
const PAGE_THREADS = 2;

/** The use cases, on real or fake browsers. Disposing ends what is left of those and closes the books. */
export type Services = AsyncDisposable & {
  readonly accounts: Accounts;
  readonly auth: Auth;
  readonly removal: AccountRemoval;
  readonly desk: AccountDesk;
  readonly subscriptions: Subscriptions;
  readonly reports: UsageReports;
  readonly events: AccountEvents;
  readonly store: Store;
  readonly browsers: Browsers;
  readonly desktops: Desktops;
  readonly thumbnails: Thumbnails;
  readonly query: Query;
  readonly readiness: Readiness;
  readonly capacity: Capacity;
  readonly pool: WarmPool;
  /** Warm browsers to keep ready. */
  readonly warm: number;
  /** The values of the gauges, except those of the gateway. */
  readonly gauges: () => Omit<Gauges, "connections">;
  /** What the operator has to know about this start, a sentence each. */
  readonly warnings: readonly string[];
};

export type ServicesOptions = {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Browsers are faked: no Chromium runs, and DevTools answers a handful of commands. */
  readonly isFake: boolean;
};

/** @throws {Error} When a folder is in use or unusable, or warm browsers are wanted that there can't be. */
export async function startServices(config: Config, { log, metrics, isFake }: ServicesOptions): Promise<Services> {
  await using acquired = new AsyncDisposableStack();
  const clock = systemClock;
  const newId = (): string => randomBytes(6).toString("hex");
  const newKey = (): string => randomBytes(24).toString("base64url");
  const { plans } = config;

  const books = acquired.use(await openServerStorage(config, log));
  const { accounts, store } = books;
  const people = acquired.use(newAuth(books, config, log));
  const host = acquired.use(isFake ? new FakeHost() : await openBrowserHost(config, log));
  const { limit, warnings } = planCapacity(config, isFake, log);
  const capacity = new Capacity(limit);
  const gate = new LaunchGate(toGateLimits(config), clock);
  const sets = planWarmSets(config, { capacity: limit, kinds: host.kinds, isFake });
  const pool = acquired.use(new WarmPool({ sets, host, gate, capacity, clock, log, newId }));
  pool.start();
  const proxies = acquired.use(new ProxyPool({ proxies: config.proxies, probe: createProxyProbe(), clock, log }));
  proxies.start();
  const events = new AccountEvents();
  const common = { clock, log, metrics, events };
  const browsers = new Browsers({
    ...common,
    host,
    gate,
    pool,
    proxies,
    store: store.browsers,
    plans,
    capacity,
    newId,
    newKey,
  });
  const sweep = acquired.use(new SuspensionSweep({ ...common, store: store.accounts, browsers }));
  sweep.start();
  const desktops = new Desktops({ browsers, log, events, newKey, newPasswords: () => toPasswords(randomInt) });
  const thumbnails = new Thumbnails({ clock, log });
  const readiness = new Readiness({ host, gate, pool, capacity, clock, newId, log, signal: browsers.shutdown });

  const { ai } = config;
  const threads = new WorkerThreads({ atOnce: PAGE_THREADS, clock });
  const query = new Query({
    ...common,
    ...ai,
    model: lazyModel({ ...ai, clock }),
    pages: pageReducer(threads),
    schemas: schemaChecker(threads),
    newMark: () => randomBytes(12).toString("hex"),
    credentialOf: (account) => people.providerKeys.find(account),
  });

  const resources = acquired.move();
  return {
    accounts,
    auth: people,
    removal: new AccountRemoval({ store: store.accounts, browsers, clock }),
    desk: new AccountDesk({ accounts, directory: store.directory, sweep, browsers, events, clock, log }),
    subscriptions: new Subscriptions({ store: store.accounts, usage: store.usage, plans, clock, events }),
    reports: new UsageReports({ store: store.usage, plans, capacity, clock }),
    events,
    store,
    browsers,
    desktops,
    thumbnails,
    query,
    readiness,
    capacity,
    pool,
    warm: sets.reduce((sum, { count }) => sum + count, 0),
    gauges: () => ({
      capacity: { limit, taken: capacity.taken },
      open: browsers.all(),
      warm: pool.ready,
      proxies: proxies.health,
      launches: { running: gate.running, waiting: gate.waiting },
      desktops: { started: desktops.count, viewers: desktops.viewers },
      queries: query.load,
    }),
    warnings,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
