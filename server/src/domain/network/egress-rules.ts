import { type AddressKind, type EgressPolicy, type Host, kindOfAddress, toEndpoint } from "./address-policy.ts";
import { type AddressRange, isInRanges, readAddress } from "./address-range.ts";

/** Where browsers may connect to. */
export type EgressRules = {
  readonly policy: EgressPolicy;
  /** Addresses that they may not reach, whatever the policy. */
  readonly denied: readonly AddressRange[];
  /** Ports of sites. */
  readonly ports: readonly PortRange[];
  readonly domains: readonly DomainRule[];
};

/** Both ends are included. */
export type PortRange = readonly [first: number, last: number];

/** Holds for a name and all names below it. If several rules match a name, the longest one wins. */
export type DomainRule = { readonly name: string; readonly isAllowed: boolean };

/**
 * Why browsers may not reach an address: its kind, or `denied` by the operator, in a network of the machine's `own`, or
 * of the `cloud` that the machine may be in.
 */
export type AddressRefusal = Exclude<AddressKind, "public"> | "denied" | "own" | "cloud";

/** Azure's address for machines: public by its number, and only reachable from inside. */
const CLOUDS = new Set(["168.63.129.16"]);

export const ALL_PORTS: PortRange = [1, 65_535];

/** No restriction, for connections that are not a browser's. */
export const NO_RULES: EgressRules = { policy: "any", denied: [], ports: [ALL_PORTS], domains: [] };

/** Web sites, and what programs use beside them; not mail, which would let a browser send it in the operator's name. */
export const WEB_PORTS: readonly PortRange[] = [
  [80, 80],
  [443, 443],
  [1024, 2524],
  [2526, 65_535],
];

/** @param own Networks of the machine. @returns Undefined if browsers may reach the address. */
export function refuseAddress(
  address: string,
  { policy, denied }: EgressRules,
  own: readonly AddressRange[],
): AddressRefusal | undefined {
  const endpoint = toEndpoint(address);
  const read = readAddress(endpoint);
  if (read !== undefined && isInRanges(read, denied)) return "denied";
  if (policy === "any") return undefined;
  const kind = kindOfAddress(address);
  if (kind !== "public") return kind;
  if (CLOUDS.has(endpoint)) return "cloud";
  return read === undefined || isInRanges(read, own) ? "own" : undefined;
}

export function isPortAllowed(port: number, { ports }: EgressRules): boolean {
  return ports.some(([first, last]) => port >= first && port <= last);
}

/** With rules that allow some domains, browsers may reach no others, and no addresses. */
export function isDomainAllowed(host: Host, { domains }: EgressRules): boolean {
  const name = host.is === "address" ? host.address : host.name;
  const [longest] = domains
    .filter((rule) => name === rule.name || name.endsWith(`.${rule.name}`))
    .toSorted((one, other) => other.name.length - one.name.length);
  return longest?.isAllowed ?? !domains.some(({ isAllowed }) => isAllowed);
}
