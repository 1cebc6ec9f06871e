import type { Context } from "hono";
import type { BrowserBounds } from "../../domain/machine/bounds.ts";
import type { Plans } from "../../domain/plan/plan.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Fleet } from "../../ports/fleet.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Accounts } from "../../services/accounts/accounts.ts";
import type { ProviderKeys } from "../../services/accounts/provider-keys.ts";
import type { Subscriptions } from "../../services/accounts/subscriptions.ts";
import type { Tokens } from "../../services/accounts/tokens.ts";
import type { UsageReports } from "../../services/accounts/usage-reports.ts";
import type { Capacity } from "../../services/capacity/capacity.ts";
import type { Readiness } from "../../services/health/readiness.ts";
import type { Operators } from "../../services/operators/operators.ts";
import type { BrowserRecords } from "../../services/records/records.ts";
import type { Sessions } from "../../services/sign-in/sessions.ts";
import type { SignIn } from "../../services/sign-in/sign-in.ts";
import type { AccountEvents } from "../../services/store/account-events.ts";
import type { WarmPool } from "../../services/warm/warm-pool.ts";
import type { AddressGuard } from "./address-guard.ts";
import type { PageSite } from "./page-context.ts";
import type { PageCookie } from "./session-cookie.ts";

/** The services that pages call, and their settings. */
export type PageServices = {
  readonly site: PageSite;
  readonly addressGuard: AddressGuard;
  readonly cookie: PageCookie;
  /** Marks web browsers in which a user has signed in before. */
  readonly knownCookie: PageCookie;
  /** The client's IP address, as trusted proxies report it. */
  readonly addressOf: (c: Context) => string;
  /** The base URL of the pages, the API and browser addresses. */
  readonly baseOf: (c: Context) => URL;
  readonly accounts: Pick<Accounts, "isLastOperator">;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
  readonly subscriptions: Subscriptions;
  readonly providerKeys: ProviderKeys;
  readonly tokens: Tokens;
  readonly reports: UsageReports;
  readonly records: Pick<BrowserRecords, "keptSince">;
  readonly events: Pick<AccountEvents, "subscribe">;
  readonly fleet: Fleet;
  readonly operators: Operators;
  readonly plans: Plans;
  readonly capacity: Pick<Capacity, "limit" | "taken">;
  readonly pool: Pick<WarmPool, "ready">;
  readonly readiness: Pick<Readiness, "last">;
  /** Limits for each browser; undefined if there are none. */
  readonly bounds: BrowserBounds | undefined;
  readonly store: Pick<Store, "workers">;
  readonly versions: Readonly<Record<"server" | "contract" | "node", string>>;
  /** Folder of Swagger UI's files, relative to the root, with a trailing slash. */
  readonly swaggerUi: string;
  /** Aborted when the server shuts down. */
  readonly shutdown: AbortSignal;
  readonly clock: Pick<Clock, "after">;
  readonly now: () => Date;
  readonly log: Log;
};
