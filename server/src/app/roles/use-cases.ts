import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import manifest from "../../../package.json" with { type: "json" };
import { newPageReducer } from "../../adapters/parse5/page-reducer.ts";
import { newSchemaChecker } from "../../adapters/ajv/schema-checker.ts";
import type { Config } from "../../config/config.ts";
import type { LaunchOptions } from "../../domain/browser/open-options.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import { toTimeOrderedId } from "../../domain/time-ordered-id.ts";
import { toWarmKey } from "../../domain/warm/warm-set.ts";
import type { Fleet } from "../../ports/fleet.ts";
import { CALLS_VERSION } from "../../ports/cluster/worker-call-rules.ts";
import { ProviderKeys } from "../../services/accounts/provider-keys.ts";
import { Tokens } from "../../services/accounts/tokens.ts";
import { Sessions } from "../../services/sign-in/sessions.ts";
import { Attempts } from "../../services/attempts/attempts.ts";
import { Operators } from "../../services/operators/operators.ts";
import { SignIn } from "../../services/sign-in/sign-in.ts";
import { Subscriptions } from "../../services/accounts/subscriptions.ts";
import type { SuspensionSweep } from "../../services/operators/suspension-sweep.ts";
import { UsageReports } from "../../services/accounts/usage-reports.ts";
import { AccountEvents } from "../../services/store/account-events.ts";
import { Outbox } from "../../services/store/outbox.ts";
import { LimitQueue } from "../../services/admission/limit-queue.ts";
import { BrowserRecords } from "../../services/records/records.ts";
import { Query } from "../../services/query/query.ts";
import { TokenBudget } from "../../services/query/token-budget.ts";
import type { Ports } from "../compose/ports.ts";
import { type Storage, openServerStorage } from "../compose/storage.ts";

/** The services that all roles use. */
export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/**
 * Opens the database and starts the services that all roles use. Disposing closes the database.
 * @throws {Error} If a folder is in use, or a folder or the database can't be used.
 */
export async function openFoundation(config: Config, ports: Ports) {
  const { clock, log } = ports;
  await using acquired = new AsyncDisposableStack();
  const storage = acquired.use(await openServerStorage(config, ports));
  const { store } = storage;
  const auth = acquired.use(newAuth(storage, config, ports));
  const events = new AccountEvents(store.changes);
  // Workers have no pages.
  if (config.cluster?.role !== "worker") events.followOthers();
  const resources = acquired.move();
  return {
    storage,
    store,
    auth,
    events,
    outbox: new Outbox({ clock, log, random: () => randomInt(1000) / 1000 }),
    queue: new LimitQueue({ clock, store: store.usage }),
    /** Creates a browser's id. Ids are permanent keys of the ledger, so they must never repeat. */
    newId: (): string => `br_${toTimeOrderedId(clock.now(), randomBytes(16))}`,
    /** The identity that this server reports in every role. Other servers compare it with their own. */
    identity: {
      version: manifest.version,
      calls: CALLS_VERSION,
      keys: storage.box.keyIds,
      plans: toPlanDigest(config.plans),
    },
    /** Creates the secret part of an address. With PostgreSQL, it begins with this server's id. */
    newKey: (): string => `${store.fleet?.own.worker ?? ""}${randomBytes(24).toString("base64url")}`,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Creates the services for tokens, sessions and provider keys. Disposing stores when tokens were last used. */
export function newAuth(
  { store, box }: Pick<Storage, "store" | "box">,
  config: Config,
  { clock, log }: Pick<Ports, "clock" | "log">,
) {
  const tokens = new Tokens({ store: store.tokens, clock, log, newId: randomUUID, randomBytes });
  return {
    tokens,
    sessions: new Sessions({ store: store.sessions, clock, randomBytes }),
    providerKeys: new ProviderKeys({
      store: store.accounts,
      box,
      deploymentsKey: config.ai.apiKey,
      plans: config.plans,
    }),
    [Symbol.asyncDispose]: () => tokens[Symbol.asyncDispose](),
  };
}

/** Creates the services for users' and operators' actions on a fleet's browsers. */
export function newUseCases(
  { storage, store, auth, events }: Foundation,
  config: Config,
  ports: Ports,
  fleet: Fleet,
  capacity: { readonly limit: number },
  sweep: Pick<SuspensionSweep, "sweep">,
) {
  const { clock, log, metrics, threads } = ports;
  const { ai, plans } = config;
  const { accounts, audit } = storage;
  const common = { clock, log, metrics, events };
  return {
    accounts,
    auth,
    signIn: new SignIn({
      store: store.accounts,
      accounts,
      sessions: auth.sessions,
      attempts: new Attempts({ clock, box: storage.box, store: store.attempts }),
      fleet,
      hasher: ports.hasher,
      randomBytes,
      log,
    }),
    operators: new Operators({ ...common, ...store, accounts, audit, store: store.accounts, sweep, fleet }),
    subscriptions: new Subscriptions({ ...common, store: store.accounts, usage: store.usage, plans }),
    reports: new UsageReports({ store: store.usage, plans, capacity, clock }),
    events,
    store,
    fleet,
    records: new BrowserRecords({ fleet, store: store.usage, clock, historyDays: config.historyDays }),
    query: new Query({
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
    }),
  };
}

/** Returns a short digest that changes when the plans change. */
function toPlanDigest(plans: Plans): string {
  const sorted = [...plans.values()].map((plan) => JSON.stringify(plan, Object.keys(plan).toSorted())).toSorted();
  return toDigest(sorted.join("\n"));
}

/** Returns a short digest of a browser's start options that reveals nothing about users' input. */
export function toWarmDigest(options: LaunchOptions): string {
  return toDigest(toWarmKey(options));
}

function toDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
