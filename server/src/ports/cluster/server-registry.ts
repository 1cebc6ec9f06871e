import type { BrowserKind } from "../../domain/browser/browser-kind.ts";

/** What a server runs: everything, only the API and the pages, or only browsers. */
export type Role = "all" | "front" | "worker";

/** The data that a server publishes about itself. */
export type ServerReport = {
  /** Undefined in reports from earlier versions, which mean `all`. */
  readonly role?: Role | undefined;
  /** The URL that front-ends call; undefined unless the role is `worker`. */
  readonly url?: string | undefined;
  readonly version: string;
  /** Version of the calls that the server handles or makes. Undefined in reports from earlier versions, meaning 1. */
  readonly calls?: number | undefined;
  readonly kinds: readonly BrowserKind[];
  /** The ids of the keys in the server's key file. Undefined in reports from earlier versions. */
  readonly keys?: readonly string[] | undefined;
  /** A digest of the plans. Servers with equal plans have equal digests. */
  readonly plans: string;
  /** The maximum number of open browsers. */
  readonly capacity: number;
  /** Browsers that are open or being opened. */
  readonly taken: number;
  /** Warm browsers that are ready. */
  readonly warm: number;
  /** The number of ready warm browsers, keyed by a digest of their options. */
  readonly warmSets?: Readonly<Record<string, number>> | undefined;
  /**
   * Time without a report, in ms, after which the server closes its browsers. Other servers then close the browsers'
   * records. Undefined: the server keeps its browsers open.
   */
  readonly fenceMs?: number | undefined;
  /** `stopping`: opens no more browsers and will leave. `left`: has left, and will be cordoned when it restarts. */
  readonly phase?: "stopping" | "left" | undefined;
};

/**
 * The state chosen by the operator. `cordoned`: the server opens no more browsers. `draining`: the server also leaves
 * once its browsers have ended.
 */
export type WantedState = "active" | "cordoned" | "draining";

/** A server and its latest report. */
export type Server = ServerReport & {
  readonly id: string;
  /** The id of the current process. */
  readonly instance: string;
  readonly wanted: WantedState;
  readonly seenAt: Date;
  /** Whether the server has reported recently. */
  readonly isAlive: boolean;
};

/** `silent`: the server hasn't left, but hasn't reported recently. */
export const SERVER_STATES = ["active", "cordoned", "draining", "stopping", "left", "silent"] as const;

export type ServerState = (typeof SERVER_STATES)[number];

export function toServerState({ isAlive, phase, wanted }: Pick<Server, "isAlive" | "phase" | "wanted">): ServerState {
  if (phase === "left" || isAlive) return phase ?? wanted;
  return "silent";
}

/** A URL shared by several workers, and a message that explains the fix. */
type SharedUrl = { readonly url: string; readonly workers: readonly string[]; readonly message: string };

/** Finds live workers that share a URL, which can reach only one of them. The other workers receive no browsers. */
export function findSharedUrls(servers: readonly Server[]): SharedUrl[] {
  const workers = servers.filter((one) => one.isAlive && one.phase !== "left" && one.role === "worker");
  // Trailing slashes make no difference to calls.
  const byUrl = Map.groupBy(workers, ({ url }) => url?.replace(/\/+$/, ""));
  return [...byUrl].flatMap(([url, sharing]) => {
    if (url === undefined || sharing.length < 2) return [];
    const ids = sharing.map(({ id }) => id);
    const message = `The workers ${ids.slice(0, -1).join(", ")} and ${ids.at(-1)} have the same RBS_WORKER_URL, ${url}. The URL reaches only one worker, so the others receive no browsers. Set RBS_WORKER_URL on each worker to that worker's own URL.`;
    return [{ url, workers: ids, message }];
  });
}

/** The result of removing a server. `browsers`: how many of its browsers' records were open. */
export type Removal =
  | { readonly is: "removed"; readonly browsers: number }
  | { readonly is: "alive" }
  | { readonly is: "unknown" };

/** The servers that share a database. All times come from the database's clock. */
export interface ServerRegistry {
  readonly id: string;
  /** Adds this server and ends any earlier drain. A cordoned server remains cordoned. */
  register(report: ServerReport): Promise<WantedState>;
  /** @returns The state chosen by the operator; undefined if this server was removed. */
  report(report: ServerReport): Promise<WantedState | undefined>;
  /**
   * Removes this server after its browsers have ended, and closes any of their remaining records as lost. A cordoned
   * server remains in the list.
   */
  leave(): Promise<void>;
  /** Removes this server if the operator still wants it drained. @returns Whether the server was removed. */
  leaveDrained(): Promise<boolean>;
  list(): Promise<Server[]>;
  /** @returns Whether the server exists and can open browsers. Front-ends can't. */
  want(id: string, state: WantedState): Promise<boolean>;
  /** Returns the number of connections that the database accepts from all servers combined. */
  connectionLimit(): Promise<number>;
  /** Removes a server that no longer reports, and closes the records of its browsers as lost. */
  remove(id: string): Promise<Removal>;
  /**
   * Closes the records of browsers that were requested at least two minutes ago and whose server isn't in the list.
   * Such records remain if a front-end is killed after it has assigned a browser to a worker that has just left.
   * @returns The number of records that were open.
   */
  removeStrays(): Promise<number>;
}
