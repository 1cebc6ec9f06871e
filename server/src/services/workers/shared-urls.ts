import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import { findSharedUrls, type Server } from "../../ports/cluster/server-registry.ts";

/** How long a killed worker still counts as alive, in ms. Another worker may already use the killed worker's URL. */
const LEASE_MS = 10_000;

type SharedUrlsNeeds = {
  readonly clock: Pick<Clock, "elapsedMs">;
  readonly log: Log;
};

/** Logs workers that share a URL, once for each change. */
export class SharedUrls {
  readonly #needs: SharedUrlsNeeds;
  /** By log message: when its shared URL was first read, and whether it has been logged. */
  #known: ReadonlyMap<string, { readonly sinceMs: number; isLogged: boolean }> = new Map();

  constructor(needs: SharedUrlsNeeds) {
    this.#needs = needs;
  }

  /** @param servers All servers, freshly read. */
  note(servers: readonly Server[]): void {
    const { clock, log } = this.#needs;
    const now = clock.elapsedMs();
    const shared = findSharedUrls(servers);
    this.#known = new Map(
      shared.map(({ message }) => [message, this.#known.get(message) ?? { sinceMs: now, isLogged: false }]),
    );
    for (const { url, workers, message } of shared) {
      const known = this.#known.get(message);
      if (known === undefined || known.isLogged || now - known.sinceMs <= LEASE_MS) continue;
      known.isLogged = true;
      log.error("worker.url_shared", { url, workers, error: new Error(message) });
    }
  }
}
