import type { BrowserKind } from "../../domain/browser/browser-kind.ts";

/** What a server runs: everything, only the API and the pages, or only browsers. */
export type Role = "all" | "front" | "worker";

/** The data that a server publishes about itself. */
export type ServerReport = {
  /** Undefined in reports from earlier versions, which mean `all`. */
  readonly role?: Role | undefined;
  /** The URL for front-ends; undefined unless the role is `worker`. */
  readonly url?: string | undefined;
  readonly version: string;
  /** The version of the calls that it answers or makes. Undefined in reports from earlier versions, which mean 1. */
  readonly calls?: number | undefined;
  readonly kinds: readonly BrowserKind[];
  /** The ids of the keys in its key file. Undefined in reports from earlier versions. */
  readonly keys?: readonly string[] | undefined;
  /** A digest of the plans: equal on servers with equal plans. */
  readonly plans: string;
  /** The maximum number of open browsers. */
  readonly capacity: number;
  /** Browsers that are open or being opened. */
  readonly taken: number;
  /** Warm browsers that are ready. */
  readonly warm: number;
  /** The number of ready warm browsers by a digest of their options. */
  readonly warmSets?: Readonly<Record<string, number>> | undefined;
  /**
   * After how many ms without a report it ends its browsers. Other servers then close their records. Undefined: it
   * keeps them.
   */
  readonly fenceMs?: number | undefined;
  /** `stopping`: opens no more browsers, and will leave. `left`: has left, and will be cordoned when it restarts. */
  readonly phase?: "stopping" | "left" | undefined;
};

/**
 * The state that the operator has chosen. `cordoned`: the server opens no more browsers. `draining`: it also leaves
 * once its browsers have ended.
 */
export type WantedState = "active" | "cordoned" | "draining";

/** A server, as it last reported. */
export type Server = ServerReport & {
  readonly id: string;
  /** The id of the current process. */
  readonly instance: string;
  readonly wanted: WantedState;
  readonly seenAt: Date;
  /** Whether it has reported recently. */
  readonly isAlive: boolean;
};

/** `silent`: the server hasn't reported recently, but hasn't left either. */
export const SERVER_STATES = ["active", "cordoned", "draining", "stopping", "left", "silent"] as const;

export type ServerState = (typeof SERVER_STATES)[number];

export function toServerState({ isAlive, phase, wanted }: Pick<Server, "isAlive" | "phase" | "wanted">): ServerState {
  if (phase === "left" || isAlive) return phase ?? wanted;
  return "silent";
}

/** A URL that several workers have, and what to do about it. */
type SharedUrl = { readonly url: string; readonly workers: readonly string[]; readonly message: string };

/** Finds live workers with the same URL. It leads to at most one of them, so the others receive no browsers. */
export function findSharedUrls(servers: readonly Server[]): SharedUrl[] {
  const workers = servers.filter((one) => one.isAlive && one.phase !== "left" && one.role === "worker");
  // Calls ignore trailing slashes.
  const byUrl = Map.groupBy(workers, ({ url }) => url?.replace(/\/+$/, ""));
  return [...byUrl].flatMap(([url, sharing]) => {
    if (url === undefined || sharing.length < 2) return [];
    const ids = sharing.map(({ id }) => id);
    const message = `The workers ${ids.slice(0, -1).join(", ")} and ${ids.at(-1)} have the same RBS_WORKER_URL, ${url}. It leads to one of them, and the others get no browsers: set it on each worker to a URL that leads to this worker.`;
    return [{ url, workers: ids, message }];
  });
}

/** The result of removing a server. `browsers`: how many of its records were open. */
export type Removal =
  | { readonly is: "removed"; readonly browsers: number }
  | { readonly is: "alive" }
  | { readonly is: "unknown" };

/** The servers that share a database. All times are the database's. */
export interface ServerRegistry {
  readonly id: string;
  /** Adds this server. It stays cordoned if it was cordoned before. An earlier drain is over. */
  register(report: ServerReport): Promise<WantedState>;
  /** @returns The state that the operator has chosen; undefined if this server was removed. */
  report(report: ServerReport): Promise<WantedState | undefined>;
  /**
   * Removes this server after its browsers have ended, and closes any remaining records of them as lost. If the server
   * is cordoned, it stays in the list.
   */
  leave(): Promise<void>;
  /** Removes this server if the operator still wants it drained. @returns Whether it was removed. */
  leaveDrained(): Promise<boolean>;
  list(): Promise<Server[]>;
  /** @returns Whether the server exists and opens browsers: front-ends don't open any. */
  want(id: string, state: WantedState): Promise<boolean>;
  /** Returns how many connections the database accepts from all servers together. */
  connectionLimit(): Promise<number>;
  /** Removes a server that no longer reports, and closes the records of its browsers as lost. */
  remove(id: string): Promise<Removal>;
  /**
   * Closes the records of browsers that were requested at least two minutes ago and whose server isn't in the list. A
   * front-end can be killed after it has assigned a browser to a worker that has just left.
   * @returns How many were open.
   */
  removeStrays(): Promise<number>;
}
