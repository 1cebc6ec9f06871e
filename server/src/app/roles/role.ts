import type { BrowserBounds } from "../../domain/machine/bounds.ts";
import type { GatewayOptions } from "../../gateway/gateway.ts";
import type { WorkerCalls } from "../../ports/cluster/worker-calls.ts";
import type { Gauges } from "../../ports/metrics.ts";
import type { Accounts } from "../../services/accounts/accounts.ts";
import type { Capacity } from "../../services/capacity/capacity.ts";
import type { Readiness } from "../../services/health/readiness.ts";
import type { WarmPool } from "../../services/warm/warm-pool.ts";
import type { newUseCases } from "./use-cases.ts";

/** The services that the API, the pages and the operator's probes use in every role. */
export type ServedServices = ReturnType<typeof newUseCases> & {
  readonly capacity: Pick<Capacity, "limit" | "taken">;
  /** Returns the number of open browsers. */
  readonly countOpen: () => number;
  readonly pool: Pick<WarmPool, "ready">;
  readonly readiness: Pick<Readiness, "check" | "last">;
  /** Whether graphical browsers can be opened. */
  readonly hasScreens: boolean;
  /** A browser's limits. Undefined if unlimited. */
  readonly bounds: BrowserBounds | undefined;
  /** Returns the current values of the gauges that the services maintain. */
  readonly gauges: () => Omit<Gauges, "connections">;
  /** Aborted when the server begins to shut down. */
  readonly shutdown: AbortSignal;
  readonly entrances: Entrances;
  /** Handles front-ends' calls. Undefined if the server has no front-ends. */
  readonly calls: WorkerCalls | undefined;
};

/** Finds where to connect clients and viewers. The keys are secrets. */
export type Entrances = Pick<GatewayOptions, "findBrowser" | "findDesktop" | "findWorker" | "refreshWorkers"> & {
  hasDesktop(key: string): boolean | Promise<boolean>;
};

/** A running server in any role. Disposing releases everything. */
export type Running = AsyncDisposable & {
  readonly accounts: Accounts;
  readonly readiness: Pick<Readiness, "check">;
  readonly bounds: BrowserBounds | undefined;
  /** Resolves when the server can't open browsers until it is restarted; undefined if it runs no browsers. */
  readonly failed: Promise<Error> | undefined;
  /** Resolves when the server is drained: it has no browsers and must stop. Undefined if it can't be drained. */
  readonly drained: Promise<void> | undefined;
  /** Startup warnings for the operator. */
  readonly warnings: readonly string[];
  /** Facts for the startup log line. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Refuses new browsers, as the first step of a shutdown. */
  refuse(): void;
  /** Resolves when this process has no browser that is open, opening or ending. */
  idle(): Promise<void>;
  /** Ends all of this process's browsers. */
  closeAll(): Promise<void>;
};

/** Returns whether a server can open browsers, or undefined if unknown. */
export function isServing(last: Readiness["last"]): boolean | undefined {
  return last && !("message" in last.verdict);
}
