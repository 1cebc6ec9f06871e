import { lookup, Resolver } from "node:dns/promises";
import type { Lookup } from "./admission.ts";

/** Time for an answer, the first of the tries. */
const TIMEOUT_MS = 5_000;
const TRIES = 2;

/** Answers of a name server that say nothing about the name. */
const SILENT = new Set(["ETIMEOUT", "ECANCELLED"]);

export type ResolverOptions = {
  /** Name servers, `address:port`; by default the system's. */
  readonly servers?: readonly string[];
  /** Time for the first answer; 5,000 by default. */
  readonly timeoutMs?: number;
};

/**
 * Resolves names by DNS, and those that DNS does not know (a hosts file's, the local network's) as the system does.
 * The system's way alone would not do: it has a handful of threads for the whole server, and a name whose servers are
 * silent holds one for many seconds.
 */
export function nameResolver({ servers, timeoutMs = TIMEOUT_MS }: ResolverOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    for (const answer of answers) {
      if (answer.status === "rejected" && SILENT.has((answer.reason as NodeJS.ErrnoException).code ?? "")) {
        throw answer.reason;
      }
    }
    const found = await lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  };
}
