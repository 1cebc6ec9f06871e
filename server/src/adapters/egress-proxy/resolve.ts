import { lookup as lookupBySystem, Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { orAborted } from "../../concurrency/abortable.ts";
import { readHost } from "../../domain/network/address-policy.ts";
import type { AddressRange } from "../../domain/network/address-range.ts";
import { type EgressRules, refuseAddress } from "../../domain/network/egress-rules.ts";
import { addressRefused } from "./refusal.ts";

/** Resolves a name to its addresses; rejects with the code `ENOTFOUND` if there are none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

export type ResolveOptions = {
  readonly rules: EgressRules;
  readonly lookup: Lookup;
  /** Networks of this machine, which firewalls often don't protect from connections made on the machine itself. */
  readonly ownNetworks: readonly AddressRange[];
  /** Whether the host is the browser's upstream proxy. Used in the text of the refusal. */
  readonly isUpstream: boolean;
};

/**
 * Resolves a host, and drops addresses that browsers may not reach.
 * @returns A lookup that resolves every name to the remaining addresses, so that the connection uses a checked address
 * even if the name resolves differently later.
 * @throws {Refusal} 403 if all addresses are dropped.
 * @throws {Error} With a code if the host can't be resolved.
 */
export async function resolveAllowed(
  host: string,
  { rules, lookup, ownNetworks, isUpstream }: ResolveOptions,
): Promise<LookupFunction> {
  const addresses = await resolveHost(host, lookup);
  const refusals = addresses.map((address) => refuseAddress(address, rules, ownNetworks));
  const allowed = addresses.filter((_, at) => refusals[at] === undefined);
  const [[first], [refusal]] = [addresses, refusals];
  if (allowed.length === 0 && first !== undefined && refusal !== undefined)
    throw addressRefused(isUpstream ? `The browser's proxy, ${host},` : host, first, refusal);
  return toLookup(allowed);
}

/**
 * Checks a site before an operator's proxy, which may be in a private network, connects to it. Names that can't be
 * resolved are allowed, because the proxy may be able to resolve them.
 * @throws {Refusal} 403 if browsers may not reach the site.
 */
export async function checkBehindProxy(host: string, options: Omit<ResolveOptions, "isUpstream">): Promise<void> {
  const addresses = await resolveHost(host, options.lookup).catch(() => []);
  for (const address of addresses) {
    const refusal = refuseAddress(address, options.rules, options.ownNetworks);
    if (refusal !== undefined) throw addressRefused(host, address, refusal);
  }
}

async function resolveHost(host: string, lookup: Lookup): Promise<readonly string[]> {
  const read = readHost(host);
  if (read === undefined) throw notFound();
  if (read.is === "address") return [read.address];
  // As in browsers, these names aren't sent to a resolver (RFC 6761, section 6.3).
  if (read.is === "localhost") return ["127.0.0.1", "::1"];
  const addresses = await lookup(read.name);
  if (addresses.length === 0) throw notFound();
  return addresses;
}

function notFound(): Error {
  return Object.assign(new Error("The host has no address."), { code: "ENOTFOUND" });
}

function toLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const [first] = entries;
  return (_host, options, callback) => {
    if (options.all === true) callback(null, entries);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/**
 * Limits how long callers wait for a lookup. The lookup continues in the background. Concurrent callers share a lookup,
 * because the system's resolver handles only a few at the same time.
 */
export function newSharedLookup(lookup: Lookup, timeoutMs: number): Lookup {
  const pending = new Map<string, Promise<readonly string[]>>();
  return (name) => {
    const known = pending.get(name);
    if (known !== undefined) return known;
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort(Object.assign(new Error("The name took too long to resolve."), { code: "ETIMEDOUT" }));
    }, timeoutMs);
    const answer = orAborted(lookup(name), late.signal).finally(() => {
      clearTimeout(timer);
      pending.delete(name);
    });
    pending.set(name, answer);
    return answer;
  };
}

/** Time limit for the first try, in ms. */
const DNS_TIMEOUT_MS = 5_000;
const DNS_TRIES = 2;

/** Errors from an unresponsive name server. The name may exist. */
const DNS_SILENCE = new Set(["ETIMEOUT", "ECANCELLED"]);

type ResolverOptions = {
  /** Name servers, `address:port`; by default the system's. */
  readonly servers?: readonly string[];
  /** Time limit for the first try; 5,000 by default. */
  readonly timeoutMs?: number;
};

/**
 * Resolves names with DNS, or else with the system's resolver, which reads the hosts file. The system's resolver alone
 * isn't enough: it has only a few threads, and an unresponsive name server blocks a thread for seconds.
 */
export function newLookup({ servers, timeoutMs = DNS_TIMEOUT_MS }: ResolverOptions = {}): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: DNS_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    for (const answer of answers) {
      if (answer.status === "rejected" && DNS_SILENCE.has((answer.reason as NodeJS.ErrnoException).code ?? "")) {
        throw answer.reason;
      }
    }
    const found = await lookupBySystem(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  };
}
