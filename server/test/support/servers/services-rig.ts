import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { FakeHost } from "../../../src/adapters/fake-browser/fake-host.ts";
import { TEST_BOX, openTestStore } from "../databases/stores.ts";
import type { Account } from "../../../src/domain/account/account.ts";
import { toPasswords } from "../../../src/domain/browser/desktop.ts";
import type { OpenOptions } from "../../../src/domain/browser/open-options.ts";
import { type Plan, SELF_HOSTED } from "../../../src/domain/plan/plan.ts";
import type { UpstreamProxy } from "../../../src/domain/network/upstream-proxy.ts";
import type { WarmPlan, WarmSet } from "../../../src/domain/warm/warm-set.ts";
import type { Fleet } from "../../../src/ports/fleet.ts";
import type { BrowserHost } from "../../../src/ports/browser-host.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import { Accounts, type NewAccount } from "../../../src/services/accounts/accounts.ts";
import { KeyedOpens } from "../../../src/services/admission/keyed-opens.ts";
import { newLocalFleet } from "../../../src/services/fleet/local-fleet.ts";
import { LocalBrowsers } from "../../../src/services/browsers/local-browsers.ts";
import { Capacity } from "../../../src/services/capacity/capacity.ts";
import { AccountEvents } from "../../../src/services/store/account-events.ts";
import { Charges } from "../../../src/services/records/charges.ts";
import { type GateLimits, LaunchGate } from "../../../src/services/capacity/launch-gate.ts";
import { Outbox } from "../../../src/services/store/outbox.ts";
import type { OpenBrowser } from "../../../src/services/browsers/open-browser.ts";
import { LimitQueue } from "../../../src/services/admission/limit-queue.ts";
import { ProxyPool } from "../../../src/services/browsers/proxy-pool.ts";
import { newCapturePermits } from "../../../src/services/pictures/capture-permits.ts";
import { Screenshots } from "../../../src/services/pictures/screenshots.ts";
import { Thumbnails } from "../../../src/services/pictures/thumbnails.ts";
import { Desktops } from "../../../src/services/desktops/desktops.ts";
import { Tokens } from "../../../src/services/accounts/tokens.ts";
import { WarmPool } from "../../../src/services/warm/warm-pool.ts";
import { FakeClock } from "../../fakes/fake-clock.ts";
import { FakeHasher } from "../../fakes/fake-hasher.ts";
import { FakeProbe } from "../../fakes/fake-probe.ts";
import { RecordingLog } from "../../fakes/recording-log.ts";
import { RecordingMetrics } from "../../fakes/recording-metrics.ts";

export const SMALL: Plan = {
  name: "small",
  parallel: 3,
  unitsPerMonth: 10,
  maxLifetimeMs: 600_000,
  isSelfService: false,
};

export const OPTIONS: OpenOptions = {
  kind: "chromium",
  isHeadless: true,
  isStealthy: true,
  switches: [],
  ignoredSwitches: [],
  proxy: undefined,
  keepOpenMs: 30_000,
  lifetimeMs: 0,
  tags: [],
  label: undefined,
  waitForPlaceMs: 0,
  page: undefined,
};

export const BASE = new URL("http://127.0.0.1:8080/");

export const OPEN_TIMEOUT_MS = 55_000;

/** The services on a real in-memory store, with a fake host and a clock that tests advance. */
export type Rig = AsyncDisposable & {
  readonly localBrowsers: LocalBrowsers;
  readonly fleet: Fleet;
  /** Changes the state of the deployment's proxies. */
  readonly probe: FakeProbe;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly hasher: FakeHasher;
  readonly events: AccountEvents;
  readonly capacity: Capacity;
  readonly queue: LimitQueue;
  readonly gate: LaunchGate;
  readonly pool: WarmPool;
  readonly host: FakeHost;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly log: RecordingLog;
  readonly metrics: RecordingMetrics;
  account(wanted?: Partial<NewAccount>): Promise<Account>;
  open(account: Account, options?: Partial<OpenOptions>, signal?: AbortSignal): Promise<OpenBrowser>;
  unitsUsed(account: Account): Promise<number>;
};

export async function newRig(
  wanted: {
    capacity?: number;
    proxies?: readonly UpstreamProxy[];
    host?: (fake: FakeHost) => BrowserHost;
    gate?: Partial<GateLimits>;
    warm?: readonly WarmSet[];
    auto?: WarmPlan["auto"];
    start?: string;
  } = {},
): Promise<Rig> {
  const clock = new FakeClock(wanted.start);
  const log = new RecordingLog();
  const store = await openTestStore();
  const host = new FakeHost();
  const capacity = new Capacity(wanted.capacity ?? 50, clock);
  const plans = new Map([SELF_HOSTED, SMALL].map((plan) => [plan.name, plan]));
  const hasher = new FakeHasher();
  const accounts = new Accounts({ ...store, hasher, plans, clock, newId: randomUUID, randomBytes });
  const tokens = new Tokens({ store: store.tokens, clock, log, newId: randomUUID, randomBytes });
  const events = new AccountEvents();
  const probe = new FakeProbe();
  const proxies = new ProxyPool({ proxies: wanted.proxies ?? [], probe, clock, log });
  proxies.start();
  const usedHost = wanted.host?.(host) ?? host;
  const gate = new LaunchGate({ atOnce: 50, maxQueued: 50, maxWaitMs: 20_000, ...wanted.gate }, clock);
  const pool = new WarmPool({
    plan: { sets: wanted.warm ?? [], auto: wanted.auto },
    host: usedHost,
    gate,
    capacity,
    clock,
    log,
    newId: randomUUID,
  });
  pool.start();
  const metrics = new RecordingMetrics();
  const newKey = (): string => randomBytes(24).toString("base64url");
  const outbox = new Outbox({ clock, log });
  const queue = new LimitQueue({ clock, store: store.usage });
  const localBrowsers = new LocalBrowsers({
    proxies,
    host: usedHost,
    gate,
    pool,
    store: store.browsers,
    accounts: store.accounts,
    plans,
    capacity,
    queue,
    findRefusal: () => undefined,
    outbox,
    charges: new Charges({ store: store.browsers, outbox, clock, metrics }),
    openTimeoutMs: OPEN_TIMEOUT_MS,
    clock,
    log,
    metrics,
    events,
    newId: randomUUID,
    newKey,
  });
  const desktops = new Desktops({ localBrowsers, log, events, newKey, newPasswords: () => toPasswords(randomInt) });
  const keyed = new KeyedOpens({ opens: localBrowsers, store: store.browsers, box: TEST_BOX, clock });
  const permits = newCapturePermits(clock);
  const fleet = newLocalFleet({
    localBrowsers,
    keyed,
    desktops,
    thumbnails: new Thumbnails({ clock, log, permits }),
    screenshots: new Screenshots({ log, permits }),
    store: store.browsers,
    plans,
    clock,
  });
  let made = 0;
  return {
    localBrowsers,
    fleet,
    probe,
    accounts,
    tokens,
    hasher,
    events,
    capacity,
    queue,
    gate,
    pool,
    host,
    store,
    clock,
    log,
    metrics,
    async account(changes = {}) {
      made += 1;
      const blank = { plan: SMALL.name, parallel: undefined, units: undefined, token: undefined };
      return (await accounts.create({ email: `user${made}@example.com`, ...blank, ...changes })).account;
    },
    open: (account, options = {}, disconnected = new AbortController().signal) =>
      localBrowsers.openNew({ account, options: { ...OPTIONS, ...options }, base: BASE, disconnected }),
    async unitsUsed(account) {
      const report = (await accounts.list()).find(({ id }) => id === account.id);
      return report?.unitsUsed ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await localBrowsers.closeAll("shutdown");
      await pool[Symbol.asyncDispose]();
      proxies[Symbol.dispose]();
      await host[Symbol.asyncDispose]();
      await tokens[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

/** Returns the resources that an account's browsers hold. After a failure, the result equals `NOTHING`. */
export async function heldBy(
  rig: Rig,
  account: Account,
): Promise<{ running: number; slots: number; rows: number; listed: number }> {
  const now = rig.clock.now();
  const probe = {
    browserId: randomUUID(),
    accountId: account.id,
    version: 0,
    kind: "chromium",
    isHeadless: true,
    label: undefined,
    tags: [],
    requestedAt: now,
    period: "2000-01",
  } as const;
  // A limit of 0 admits no browser, so the store isn't changed.
  const refusal = await rig.store.browsers.reserve(probe, { parallel: 0, units: undefined });
  const rows = refusal?.standing.browsers ?? -1;
  return {
    running: rig.host.running,
    slots: rig.capacity.taken,
    rows,
    listed: rig.localBrowsers.list(account).length,
  };
}

export const NOTHING = { running: 0, slots: 0, rows: 0, listed: 0 };
