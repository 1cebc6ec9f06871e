import ipaddr from "ipaddr.js";

/** The addresses that browsers may reach: `public` only, or `any`, including private networks and this machine. */
export type EgressPolicy = "public" | "any";

export type AddressKind =
  | "public"
  | "loopback"
  | "private"
  | "link-local"
  | "shared"
  | "multicast"
  | "unspecified"
  | "broadcast"
  | "reserved";

/** A URL's host: a normalized address, a name of this machine, or a name to resolve. */
export type Host =
  | { readonly is: "address"; readonly address: string }
  | { readonly is: "localhost"; readonly name: string }
  | { readonly is: "name"; readonly name: string };

const KINDS: Readonly<Record<string, AddressKind>> = {
  unicast: "public",
  loopback: "loopback",
  private: "private",
  uniqueLocal: "private",
  deprecatedSiteLocal: "private",
  linkLocal: "link-local",
  carrierGradeNat: "shared",
  multicast: "multicast",
  unspecified: "unspecified",
  broadcast: "broadcast",
};

/** Returns the normalized address that receives the traffic: the IPv4 address embedded in an IPv6 address, if any. */
export function toEndpoint(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.parse(address);
  const wrapped = parsed.kind() === "ipv6" ? toWrappedIPv4((parsed as ipaddr.IPv6).parts) : undefined;
  return wrapped ?? parsed.toString();
}

/** Returns an address's kind. Fails closed: invalid text, and any address not known to be public, is `reserved`. */
export function kindOfAddress(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return "reserved";
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === "ipv4") return KINDS[parsed.range()] ?? "reserved";
  const { parts } = parsed as ipaddr.IPv6;
  const wrapped = toWrappedIPv4(parts);
  if (wrapped !== undefined) return kindOfAddress(wrapped);
  const kind = KINDS[parsed.range()] ?? "reserved";
  // Only 2000::/3 is allocated as public. ipaddr.js also classifies unknown ranges, such as ::7f00:1, as "unicast".
  return kind === "public" && ((parts[0] ?? 0) & 0xe000) !== 0x2000 ? "reserved" : kind;
}

/**
 * Returns the IPv4 address that receives an IPv6 address's traffic: v4-mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96, RFC
 * 6052, used in IPv6-only networks) and 6to4 (2002::/16, RFC 3056). Other formats that embed one are reserved.
 */
function toWrappedIPv4(parts: readonly number[]): string | undefined {
  const prefix = parts.slice(0, 6).join(":");
  const isTail = prefix === "0:0:0:0:0:65535" || prefix === "100:65435:0:0:0:0";
  const pair = isTail ? parts.slice(6, 8) : parts[0] === 0x2002 ? parts.slice(1, 3) : undefined;
  return pair?.flatMap((part) => [part >> 8, part & 0xff]).join(".");
}

/**
 * Reads a host in any spelling that browsers accept (`0x7f.1`, `2130706433`, `127.0.0.1.`, `[::]`, `LOCALHOST.`).
 * @returns Undefined if the text isn't a host.
 */
export function readHost(text: string): Host | undefined {
  const bare = text.startsWith("[") ? text : text.includes(":") ? `[${text}]` : text;
  if (/[/?#@\\\s]/.test(bare)) return undefined;
  const parsed = URL.parse(`http://${bare}`);
  if (parsed === null || parsed.port !== "" || parsed.hostname === "") return undefined;
  const name = parsed.hostname.replace(/\.$/, "");
  if (name.startsWith("[")) return { is: "address", address: name.slice(1, -1) };
  if (ipaddr.IPv4.isValidFourPartDecimal(name)) return { is: "address", address: name };
  if (name === "localhost" || name.endsWith(".localhost")) return { is: "localhost", name };
  return name === "" ? undefined : { is: "name", name };
}
