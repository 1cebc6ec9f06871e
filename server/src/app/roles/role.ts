import type { BrowserBounds } from "../../domain/machine/bounds.ts";
import type { GatewayOptions } from "../../gateway/gateway.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { Gauges } from "../../ports/metrics.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Accounts } from "../../services/accounts/accounts.ts";
import type { Operators } from "../../services/operators/operators.ts";
import type { ProviderKeys } from "../../services/accounts/provider-keys.ts";
import type { Subscriptions } from "../../services/accounts/subscriptions.ts";
import type { Tokens } from "../../services/accounts/tokens.ts";
import type { UsageReports } from "../../services/accounts/usage-reports.ts";
import type { AccountEvents } from "../../services/store/account-events.ts";
import type { Capacity } from "../../services/capacity/capacity.ts";
import type { Readiness } from "../../services/health/readiness.ts";
import type { Query } from "../../services/query/query.ts";
import type { BrowserRecords } from "../../services/records/records.ts";
import type { Sessions } from "../../services/sign-in/sessions.ts";
import type { SignIn } from "../../services/sign-in/sign-in.ts";
import type { WarmPool } from "../../services/warm/warm-pool.ts";

/** Tokens, sessions and provider keys of users. Disposing stores when tokens were last used. */
export type Auth = AsyncDisposable & {
  readonly tokens: Tokens;
  readonly sessions: Sessions;
  readonly providerKeys: ProviderKeys;
};

/** What users and operators do, on the browsers of a fleet. */
export type UseCases = {
  readonly accounts: Accounts;
  readonly auth: Auth;
  readonly signIn: SignIn;
  readonly operators: Operators;
  readonly subscriptions: Subscriptions;
  readonly reports: UsageReports;
  readonly events: AccountEvents;
  readonly store: Store;
  readonly fleet: Fleet;
  readonly records: BrowserRecords;
  readonly query: Query;
};

/** What the API, the pages and the operator's probes use, in whichever process the browsers run. */
export type ServedServices = UseCases & {
  readonly capacity: Pick<Capacity, "limit" | "taken">;
  /** Open browsers. */
  readonly countOpen: () => number;
  readonly pool: Pick<WarmPool, "ready">;
  readonly readiness: Pick<Readiness, "check" | "last">;
  /** What each browser may use; undefined: as much as it wants. */
  readonly bounds: BrowserBounds | undefined;
  /** The current gauge values that services know. */
  readonly gauges: () => Omit<Gauges, "connections">;
  /** Aborted when the server begins to shut down. */
  readonly shutdown: AbortSignal;
  readonly entrances: Entrances;
  /** What front-ends ask it; undefined: it has no front-ends. */
  readonly calls: WorkerCalls | undefined;
};

/** Where connections of clients and viewers lead to. The keys are secrets. */
type Entrances = Pick<GatewayOptions, "findBrowser" | "findDesktop" | "findWorker" | "refreshWorkers"> & {
  hasDesktop(key: string): boolean | Promise<boolean>;
};

/** How a server starts and stops, in any role. Disposing releases everything. */
export type Running = AsyncDisposable & {
  readonly accounts: Accounts;
  readonly readiness: Pick<Readiness, "check">;
  readonly bounds: BrowserBounds | undefined;
  /** Resolves when no browsers can be opened until the next start; undefined if that can't happen. */
  readonly failed: Promise<Error> | undefined;
  /** Resolves when the operator has drained this server: it has no browsers and must stop; undefined if impossible. */
  readonly drained: Promise<void> | undefined;
  /** What the operator should know about this start, one sentence each. */
  readonly warnings: readonly string[];
  /** Facts for the log line of the start. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Refuses new browsers from now on. A shutdown begins with this. */
  refuse(): void;
  /** Resolves when no browser of this process is open, being opened or ending. */
  idle(): Promise<void>;
  /** Ends all browsers of this process. */
  closeAll(): Promise<void>;
};

/** Whether a server serves calls; undefined: it isn't known. */
export function isServing(last: Readiness["last"]): boolean | undefined {
  return last && !("message" in last.verdict);
}
