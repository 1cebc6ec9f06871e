import { type AddressKind, type EgressPolicy, type Host, kindOfAddress, toEndpoint } from "./address-policy.ts";
import { type AddressRange, isInRanges, readAddress } from "./address-range.ts";

/** The destinations that browsers may connect to. */
export type EgressRules = {
  readonly policy: EgressPolicy;
  /** Addresses that browsers may not reach, regardless of the policy. */
  readonly denied: readonly AddressRange[];
  readonly ports: readonly PortRange[];
  readonly domains: readonly DomainRule[];
};

/** A port range, including both ends. */
export type PortRange = readonly [first: number, last: number];

/** A rule that applies to a name and its subdomains. If several rules match a name, the longest rule wins. */
export type DomainRule = { readonly name: string; readonly isAllowed: boolean };

/**
 * Why browsers may not reach an address: its kind, `denied` by the operator, part of the machine's `own` networks, or
 * internal to a `cloud`.
 */
export type AddressRefusal = Exclude<AddressKind, "public"> | "denied" | "own" | "cloud";

/** Azure's internal endpoint has a public address, but only Azure's machines can reach it. */
const CLOUDS = new Set(["168.63.129.16"]);

export const ALL_PORTS: PortRange = [1, 65_535];

/** No restrictions, for connections that don't come from browsers. */
export const NO_RULES: EgressRules = { policy: "any", denied: [], ports: [ALL_PORTS], domains: [] };

/** Ports for web sites and other programs, but not for email, which a browser could send in the operator's name. */
export const WEB_PORTS: readonly PortRange[] = [
  [80, 80],
  [443, 443],
  [1024, 2524],
  [2526, 65_535],
];

/** @param own The machine's networks. @returns Undefined if browsers may reach the address. */
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

/** If any rule allows a domain, all other domains and all addresses are blocked. */
export function isDomainAllowed(host: Host, { domains }: EgressRules): boolean {
  const name = host.is === "address" ? host.address : host.name;
  const [longest] = domains
    .filter((rule) => name === rule.name || name.endsWith(`.${rule.name}`))
    .toSorted((one, other) => other.name.length - one.name.length);
  return longest?.isAllowed ?? !domains.some(({ isAllowed }) => isAllowed);
}
