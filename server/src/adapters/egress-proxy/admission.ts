import type { LookupFunction } from "node:net";
import { type EgressPolicy, kindOfAddress, readHost, toEndpoint } from "../../domain/network/address-policy.ts";
import { AddressRefused } from "./refusal.ts";

/** Resolves a name to its addresses; rejects with the code `ENOTFOUND` when there are none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

export type AdmissionOptions = {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
  /** Addresses of this machine's network interfaces: reached from here, no firewall stands before its services. */
  readonly ownAddresses: ReadonlySet<string>;
  /** Whether the hosts are those of proxies, which the refusal then says. */
  readonly isUpstream: boolean;
};

/**
 * Resolves a host, leaves out the addresses that browsers may not reach, and answers a lookup that knows the others
 * only: the connection goes to an address that was checked, however the name resolves a moment later.
 * @throws {AddressRefused} When no address is left.
 */
export async function admit(
  host: string,
  { policy, lookup, ownAddresses, isUpstream }: AdmissionOptions,
): Promise<LookupFunction> {
  const addresses = await resolveHost(host, lookup);
  if (policy === "any") return toLookup(addresses);
  const allowed = addresses.filter(
    (address) => kindOfAddress(address) === "public" && !ownAddresses.has(toEndpoint(address)),
  );
  const [first] = addresses;
  if (allowed.length === 0 && first !== undefined) {
    const kind = kindOfAddress(first);
    const subject = isUpstream ? `The browser's proxy, ${host},` : host;
    throw new AddressRefused(subject, first, kind === "public" ? "own" : kind);
  }
  return toLookup(allowed);
}

async function resolveHost(host: string, lookup: Lookup): Promise<readonly string[]> {
  const read = readHost(host);
  if (read === undefined) throw notFound();
  if (read.is === "address") return [read.address];
  // As browsers do it (RFC 6761, section 6.3), whatever the machine's resolver makes of such names.
  if (read.is === "localhost") return ["127.0.0.1", "::1"];
  const addresses = await lookup(read.name);
  if (addresses.length === 0) throw notFound();
  return addresses;
}

function notFound(): Error {
  return Object.assign(new Error("The host has no address."), { code: "ENOTFOUND" });
}

/** Gives up on a name after a time; the system's resolver may go on looking for longer. */
export function limit(lookup: Lookup, timeoutMs: number): Lookup {
  return (name) =>
    new Promise((resolve, reject) => {
      const giveUp = () =>
        reject(Object.assign(new Error("The name took too long to resolve."), { code: "ETIMEDOUT" }));
      const late = setTimeout(giveUp, timeoutMs);
      lookup(name)
        .then(resolve, reject)
        .finally(() => clearTimeout(late));
    });
}

function toLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const [first] = entries;
  return (_host, options, callback) => {
    if (options.all === true) callback(null, entries);
    else callback(null, first?.address ?? "", first?.family);
  };
}

/** Asks once for all who want the same name at the same time: the system's resolver answers few questions at once. */
export function coalesce(lookup: Lookup): Lookup {
  const pending = new Map<string, Promise<readonly string[]>>();
  return (name) => {
    const known = pending.get(name);
    if (known !== undefined) return known;
    const answer = lookup(name).finally(() => pending.delete(name));
    pending.set(name, answer);
    return answer;
  };
}
