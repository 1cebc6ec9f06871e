import type { BrowserKind } from "../../domain/browser/browser-kind.ts";

/** What a server of a deployment does: everything, or only the API and the pages, or only browsers. */
export type Role = "all" | "front" | "worker";

/** What a server says about itself. */
export type ServerReport = {
  /** Undefined in reports of earlier versions: all. */
  readonly role?: Role | undefined;
  /** Where front-ends reach it; undefined unless its role is `worker`. */
  readonly url?: string | undefined;
  readonly version: string;
  /** The version of the calls that it answers or makes. Undefined in reports of earlier versions: 1. */
  readonly calls?: number | undefined;
  readonly kinds: readonly BrowserKind[];
  /** The ids of the keys in its key file. Undefined in reports of earlier versions. */
  readonly keys?: readonly string[] | undefined;
  /** Equal on servers with equal plans. */
  readonly plans: string;
  /** Browsers that may be open on it at the same time. */
  readonly capacity: number;
  /** Browsers that are open on it or being opened. */
  readonly taken: number;
  /** Warm browsers that are ready. */
  readonly warm: number;
  /** How many of them are ready for which options, by a digest of the options. */
  readonly warmSets?: Readonly<Record<string, number>> | undefined;
  /**
   * It promises to end its browsers if it couldn't report for so long, in ms. Others close their records afterwards.
   * Undefined: it keeps them.
   */
  readonly fenceMs?: number | undefined;
  /**
   * `stopping`: it opens no more browsers, and will leave. `left`: it has, and will be cordoned when it starts again.
   */
  readonly phase?: "stopping" | "left" | undefined;
};

/**
 * What the operator wants of a server. `cordoned`: it must open no more browsers. `draining`: it must also leave
 * when it has none any more.
 */
export type WantedState = "active" | "cordoned" | "draining";

/** A server, as it last reported. */
export type Server = ServerReport & {
  readonly id: string;
  /** The id of its present start. */
  readonly instance: string;
  readonly wanted: WantedState;
  readonly seenAt: Date;
  /** Whether it has reported recently. */
  readonly isAlive: boolean;
};

/** `silent`: it hasn't reported recently, without having left. */
export const SERVER_STATES = ["active", "cordoned", "draining", "stopping", "left", "silent"] as const;

export type ServerState = (typeof SERVER_STATES)[number];

export function toServerState({ isAlive, phase, wanted }: Pick<Server, "isAlive" | "phase" | "wanted">): ServerState {
  if (phase === "left" || isAlive) return phase ?? wanted;
  return "silent";
}

/** A URL that several workers have, and what to do about it. */
export type SharedUrl = { readonly url: string; readonly workers: readonly string[]; readonly message: string };

/** Finds workers that report and have one URL: it leads to one of them at most, so the others get no browsers. */
export function findSharedUrls(servers: readonly Server[]): SharedUrl[] {
  const workers = servers.filter((one) => one.isAlive && one.phase !== "left" && one.role === "worker");
  // Calls ignore slashes at the end.
  const byUrl = Map.groupBy(workers, ({ url }) => url?.replace(/\/+$/, ""));
  return [...byUrl].flatMap(([url, sharing]) => {
    if (url === undefined || sharing.length < 2) return [];
    const ids = sharing.map(({ id }) => id);
    const message = `The workers ${ids.slice(0, -1).join(", ")} and ${ids.at(-1)} have the same RBS_WORKER_URL, ${url}. It leads to one of them, and the others get no browsers: set it on each worker to a URL that leads to this worker.`;
    return [{ url, workers: ids, message }];
  });
}

/** How the removal of a server ended. `browsers`: how many of its records were open. */
export type Removal =
  | { readonly is: "removed"; readonly browsers: number }
  | { readonly is: "alive" }
  | { readonly is: "unknown" };

/** The servers that share a database. All times are the database's. */
export interface ServerRegistry {
  /** Of this server. */
  readonly id: string;
  /** Adds this server. It stays cordoned if it was. A drain of the start before is over. */
  register(report: ServerReport): Promise<WantedState>;
  /** @returns What the operator wants; undefined if this server was removed. */
  report(report: ServerReport): Promise<WantedState | undefined>;
  /**
   * Removes this server, which has no browsers any more, and closes records that still show them as lost. If it is
   * cordoned, it stays in the list.
   */
  leave(): Promise<void>;
  /** Removes this server if the operator still wants it drained. @returns Whether it was removed. */
  leaveDrained(): Promise<boolean>;
  /** In the order of their ids. */
  list(): Promise<Server[]>;
  /** @returns Whether there is such a server, and it opens browsers: front-ends don't open any. */
  want(id: string, state: WantedState): Promise<boolean>;
  /** How many connections the database accepts from all servers together. */
  connectionLimit(): Promise<number>;
  /** Removes a server that doesn't report any more, and closes the records of its browsers as lost. */
  remove(id: string): Promise<Removal>;
  /**
   * Closes the records of browsers that were requested at least two minutes ago, and whose server isn't in the list. A
   * front-end that is killed may have given a browser to a worker that has just left.
   * @returns How many were open.
   */
  removeStrays(): Promise<number>;
}
